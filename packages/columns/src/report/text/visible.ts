import { type Html, html } from "./html.ts";

/** Control characters, invisible ones, those that change the direction of text, line separators, and unpaired halves. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Noncharacter_Code_Point}]/gu;
/** Joiners and tags inside of emoji and of the scripts that need them. They are harmless within a `bdi` element. */
const HARMLESS = /\u{200c}|\u{200d}|[\u{e0020}-\u{e007f}]/u;

/** Text in which every character is visible and none changes the direction of what follows. */
export function visible(text: string): string {
  return text.replace(UNPRINTABLE, (of) =>
    HARMLESS.test(of) ? of : `\\u{${of.codePointAt(0)!.toString(16)}}`,
  );
}

/** Cuts text at `most` UTF-16 units, never through a character. */
export function clipped(text: string, most: number): { readonly text: string; readonly isCut: boolean } {
  if (text.length <= most) return { text, isCut: false };
  const isHalf = (text.codePointAt(most - 1) ?? 0) > 0xffff;
  return { text: text.slice(0, isHalf ? most - 1 : most), isCut: true };
}

/** Plain text of a name, for labels: visible, and cut. */
export function plainName(name: string, most: number): string {
  if (name === "") return "(no name)";
  const { text, isCut } = clipped(name, most);
  return visible(text) + (isCut ? "…" : "");
}

/**
 * A name or a value of text as markup. Its direction does not reach the text around it.
 * @param isPart whether the value is the start of a longer one
 */
export function shown(value: string, most: number, empty: string, isPart = false): Html {
  if (value === "") return html`<i class="quiet">${empty}</i>`;
  const { text, isCut } = clipped(value, most);
  // Blanks at the ends would be lost without quotation marks.
  const quoted = /^\s|\s$/.test(text) ? `"${visible(text)}"` : visible(text);
  const length = `${isPart ? "more than " : ""}${value.length.toLocaleString("en-US")} characters`;
  const more = (isCut || isPart) && html`<span class="quiet">… (${length})</span>`;
  return html`<bdi>${quoted}</bdi>${more}`;
}
