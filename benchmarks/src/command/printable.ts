/** Control, invisible and direction-changing characters, which names of files may contain. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/gu;

/** Puts foreign text on one line and escapes characters that could control a terminal. */
export function printable(text: string): string {
  return text
    .replace(/\s*\n\s*/g, " ")
    .replace(UNPRINTABLE, (of) => `\\u${of.codePointAt(0)!.toString(16).padStart(4, "0")}`);
}
