import type { LogicalType } from "@polybin/columns";
import type { SampleType } from "@polybin/core";

/** The samples in which a column of a type is counted. Strings are counted by codes of 32 bits. */
export function storedType(type: LogicalType): SampleType {
  switch (type.kind) {
    case "number":
      return type.type;
    case "boolean":
      return "u8";
    case "string":
    case "refused":
      return "u32";
    default:
      // Dates may be read as 32-bit integers. Edges are the same for all integers.
      return "i64";
  }
}
