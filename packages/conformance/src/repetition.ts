import type { Case } from "./case.ts";

const AXES = /: (?!256 )\d+ bins of every type/;
const SIZES = /: (one large input|around what one launch)/;

/** About half of the names, always the same ones. */
const isOdd = (name: string): boolean => name.length % 2 === 1;

/**
 * Returns whether a case repeats the form of another with more bins, more samples or other parts. These cases take about
 * half of the time. Leave them out of the runs after each change, and run the whole contract every night.
 */
export function repeats({ topic, name }: Case): boolean {
  switch (topic) {
    case "axes":
      return AXES.test(name);
    case "sizes":
      return SIZES.test(name);
    case "combinations":
      return isOdd(name);
    case "sequences":
      return name.startsWith("requests that differ") && isOdd(name);
    default:
      return false;
  }
}
