// The glibc that an addon needs, and the one that its README promises.
import { readFileSync } from "node:fs";

const VERSION = /\bGLIBC_2\.(\d+)\b/g;
const PROMISE = /glibc 2\.(\d+) or newer/;

/** Returns the highest minor version of glibc 2 among the symbol versions of an addon, or 0 if it names none. */
export const glibcOf = (bytes) =>
  Math.max(
    0,
    ...Array.from(Buffer.from(bytes).toString("latin1").matchAll(VERSION), ([, minor]) => Number(minor)),
  );

/** Returns null, or a sentence if the addon needs a newer glibc than its README says. */
export function glibcProblem(addon, readme) {
  const promised = PROMISE.exec(readFileSync(readme, "utf8"))?.[1];
  if (promised === undefined) return `expected "glibc 2.N or newer" in ${readme}`;
  const needed = glibcOf(readFileSync(addon));
  if (needed === 0) return `expected that ${addon} names versions of glibc`;
  return needed > Number(promised)
    ? `expected glibc 2.${promised} as in ${readme}, but the addon needs 2.${needed}`
    : null;
}
