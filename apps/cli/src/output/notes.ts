import { printable } from "./words.ts";

/** Prints a line on stderr, wherever it goes. */
export function warn(text: string): void {
  process.stderr.write(`warning: ${printable(text)}\n`);
}

/** Prints a line on stderr if it is a terminal. Scripts do not need it. */
export function note(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`${printable(text)}\n`);
}
