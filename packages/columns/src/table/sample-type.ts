import type { SampleType } from "@polybin/core";
import type { LogicalType } from "./types.ts";

/**
 * The type of the samples that a column's values are counted as. Booleans are bytes. Timestamps, dates, times and decimals
 * are 64-bit integers. Null for strings and refused columns, which have none.
 */
export function sampleTypeOf(logical: LogicalType): SampleType | null {
  if (logical.kind === "number") return logical.type;
  if (logical.kind === "boolean") return "u8";
  return logical.kind === "string" || logical.kind === "refused" ? null : "i64";
}
