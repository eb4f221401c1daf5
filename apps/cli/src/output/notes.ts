import { printable } from "./words.ts";

/** A line on stderr that the user should see wherever stderr goes. */
export function warn(text: string): void {
  process.stderr.write(`warning: ${printable(text)}\n`);
}

/** A line for whoever sits at a terminal; scripts do not need it. */
export function note(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`${printable(text)}\n`);
}
