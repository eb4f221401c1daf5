import { readSync } from "node:fs";
import type { Source } from "./task.ts";

/** The input cannot be read as it was described. */
export class InputError extends Error {}

/** Reads bytes of a file. @throws InputError if the file has fewer */
export function readExactly(
  { fd, path }: Extract<Source, { kind: "file" }>,
  position: number,
  to: Uint8Array,
): void {
  for (let filled = 0; filled < to.length; ) {
    const read = readSync(fd, to, filled, to.length - filled, position + filled);
    if (read === 0)
      throw new InputError(
        `expected ${to.length - filled} more bytes at ${position + filled} of ${path} but the file ended: it was cut while it was read`,
      );
    filled += read;
  }
}
