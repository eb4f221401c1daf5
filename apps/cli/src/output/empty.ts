import { printable } from "./words.ts";

/** What is said of an input without values. */
export function emptyLine(name: string): string {
  return `${name === "-" ? "standard input" : printable(name)} is empty: there are no values to count`;
}
