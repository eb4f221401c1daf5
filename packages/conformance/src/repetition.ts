import type { Case } from "./case.ts";

const AXES = /: (?!256 )\d+ bins of every type/;
const SIZES = /: (one large input|around what one launch)/;

/** About three quarters of the names, always the same ones. */
const isMost = (name: string): boolean => name.length % 4 !== 0;

/**
 * Returns whether a case repeats the form of another with more bins, more samples or other parts. These cases take more than
 * half of the time. Every type meets every kind of axis without them, in the topic `axes`. Leave them out of the runs after
 * each change, and run the whole contract every night.
 */
export function repeats({ topic, name }: Case): boolean {
  switch (topic) {
    case "axes":
      return AXES.test(name);
    case "sizes":
      return SIZES.test(name);
    case "combinations":
      return isMost(name);
    case "sequences":
      return name.startsWith("requests that differ") && isMost(name);
    default:
      return false;
  }
}
