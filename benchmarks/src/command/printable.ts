/** Control characters and what is not seen or turns text around: names of files may hold them. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/gu;

/** Text from outside on one line, so that it cannot give orders to a terminal. */
export function printable(text: string): string {
  return text
    .replace(/\s*\n\s*/g, " ")
    .replace(UNPRINTABLE, (of) => `\\u${of.codePointAt(0)!.toString(16).padStart(4, "0")}`);
}
