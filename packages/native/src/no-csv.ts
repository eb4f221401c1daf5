import type { CsvReader } from "./csv.ts";

/** Returns null: a page has no addon. */
export const csvReader = (): CsvReader | null => null;

export { CSV_MOST_BYTES } from "./platform/limits.ts";
