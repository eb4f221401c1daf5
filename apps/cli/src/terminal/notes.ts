import { printable } from "../base/index.ts";
import { emptyLine } from "./empty.ts";

/** Prints a line on stderr, wherever it goes. */
export function warn(text: string): void {
  process.stderr.write(`warning: ${printable(text)}\n`);
}

/** Prints a line on stderr if it is a terminal. Scripts do not need it. */
export function note(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`${printable(text)}\n`);
}

/** How a result was counted. */
interface How {
  readonly backend: string | null;
  readonly device: string | null;
  readonly algorithm: string | null;
}

/**
 * Prints on stderr the notes of a chart, when stdout is for a program.
 * @param input `samples` is null if their number is unknown
 * @param how null if nothing had to be counted
 */
export function tellMachine(
  { name, samples }: { readonly name: string; readonly samples: number | null },
  how: How | null,
  byAuto: boolean,
): void {
  if (samples === 0) warn(emptyLine(name));
  if (byAuto && how !== null) note(`auto chose ${how.backend} (${how.device}), ${how.algorithm}`);
}

/** Warns of a damaged picture. @param was whether its decoded part was counted, or would be */
export function tellDamage(name: string, damage: string, was: "was" | "would be" = "was"): void {
  warn(`${name} is damaged; the part that could be decoded ${was} counted: ${damage}`);
}
