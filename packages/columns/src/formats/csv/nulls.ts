import type { LogicalType } from "../../table/index.ts";

/** Texts that are nulls in columns other than strings. In a column of strings, NA may be a country. */
const DEFAULT_NULLS: readonly string[] = ["", "NA", "N/A", "null", "NULL", "\\N"];

/** Returns the texts that are nulls in a column. */
export function nullsOf(type: LogicalType, given: readonly string[] | null): ReadonlySet<string> {
  return new Set(given ?? (type.kind === "string" ? [""] : DEFAULT_NULLS));
}

/** Whether a text is a null in a column whose type is still unknown. */
export const isAnyNull = (text: string, given: readonly string[] | null): boolean =>
  (given ?? DEFAULT_NULLS).includes(text);
