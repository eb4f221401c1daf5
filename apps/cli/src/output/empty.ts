import { printable } from "./words.ts";

/** The sentence about an input without values. */
export function emptyLine(name: string): string {
  return `${name === "-" ? "standard input" : printable(name)} is empty: there are no values to count`;
}
