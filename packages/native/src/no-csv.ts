import type { ReadCsv } from "./csv.ts";

/** Returns null: a page has no addon. */
export const csvReader = (): ReadCsv | null => null;
