import type { SchemaElement } from "hyparquet";
import type { LogicalType, TimeUnit } from "../../table/index.ts";
import type { Store } from "./task.ts";

/** The meaning of a column and its storage, or the reason for which it is refused. */
export type Meaning = readonly [LogicalType, Store] | string;

/** Returns the reason for which a column is refused whose rows are not one value each. */
export function nestedReason({ converted_type, logical_type, repetition_type }: SchemaElement): string {
  const kind = logical_type?.type ?? converted_type;
  if (kind === "LIST" || repetition_type === "REPEATED") return "its rows are lists";
  if (kind === "MAP" || kind === "MAP_KEY_VALUE") return "its rows are maps";
  return kind === "VARIANT"
    ? "its rows have types of their own (VARIANT)"
    : "its rows are structures, and only their fields are columns";
}

/** Whether the fields of a group are columns: each of its rows has one value of each, or none. */
export const isStructure = ({ converted_type, logical_type, repetition_type }: SchemaElement): boolean =>
  converted_type === undefined && logical_type === undefined && repetition_type !== "REPEATED";

const number = (
  type: "i8" | "u8" | "i16" | "u16" | "i32" | "u32" | "i64" | "u64" | "f32" | "f64",
): Meaning => [{ kind: "number", type }, type];

export function meaningOf(element: SchemaElement): Meaning {
  const { type, converted_type, logical_type } = element;
  const kind = logical_type?.type;
  // hyparquet leaves a type that it does not know as it is stored.
  const [unknown] = kind === undefined ? Object.keys(logical_type ?? {}) : [];
  if (unknown !== undefined)
    return `its logical type (number ${unknown.replace("field_", "")} of Parquet) is unknown`;
  if (kind === "DECIMAL" || converted_type === "DECIMAL") return decimal(element);
  switch (type) {
    case "BOOLEAN":
      return [{ kind: "boolean" }, "boolean"];
    case "FLOAT":
      return number("f32");
    case "DOUBLE":
      return number("f64");
    case "INT32":
      return kind === "NULL" ? number("i32") : integer32(element);
    case "INT64":
      return integer64(element);
    case "INT96":
      return [{ kind: "timestamp", unit: "ns", timezone: null }, "int96"];
    case "BYTE_ARRAY":
      return bytes(element);
    case "FIXED_LEN_BYTE_ARRAY":
      // Widened to f32, because f16 has no array in every supported version of Node.
      if (kind === "FLOAT16" && element.type_length === 2) return [{ kind: "number", type: "f32" }, "half"];
      if (kind === "UUID") return "its values are UUIDs";
      if (converted_type === "INTERVAL") return "its values are intervals of months, days and milliseconds";
      return `its values are ${element.type_length} bytes without a meaning`;
    default:
      return "its type is unknown";
  }
}

function integer32({ converted_type, logical_type }: SchemaElement): Meaning {
  if (logical_type?.type === "DATE" || converted_type === "DATE")
    return [{ kind: "date", unit: "day" }, "i32"];
  if (logical_type?.type === "TIME" || converted_type === "TIME_MILLIS")
    return [{ kind: "time", unit: "ms" }, "i32"];
  return integer(logical_type, converted_type, 32);
}

function integer64({ converted_type, logical_type }: SchemaElement): Meaning {
  if (logical_type?.type === "TIMESTAMP") {
    const timezone = logical_type.isAdjustedToUTC ? "UTC" : null;
    return [{ kind: "timestamp", unit: unitOf(logical_type.unit), timezone }, "i64"];
  }
  // The older types are points in UTC.
  if (converted_type === "TIMESTAMP_MILLIS")
    return [{ kind: "timestamp", unit: "ms", timezone: "UTC" }, "i64"];
  if (converted_type === "TIMESTAMP_MICROS")
    return [{ kind: "timestamp", unit: "us", timezone: "UTC" }, "i64"];
  if (logical_type?.type === "TIME") return [{ kind: "time", unit: unitOf(logical_type.unit) }, "i64"];
  if (converted_type === "TIME_MICROS") return [{ kind: "time", unit: "us" }, "i64"];
  return integer(logical_type, converted_type, 64);
}

const unitOf = (unit: "MILLIS" | "MICROS" | "NANOS"): TimeUnit =>
  unit === "MILLIS" ? "ms" : unit === "MICROS" ? "us" : "ns";

function integer(
  logical: SchemaElement["logical_type"],
  converted: string | undefined,
  stored: 32 | 64,
): Meaning {
  let bits: number = stored;
  let isSigned = true;
  const older = /^(U?)INT_(8|16|32|64)$/.exec(converted ?? "");
  if (logical?.type === "INTEGER") [bits, isSigned] = [logical.bitWidth, logical.isSigned];
  else if (older !== null) [bits, isSigned] = [Number(older[2]), older[1] === ""];
  if (![8, 16, 32, 64].includes(bits) || bits > stored || (stored === 64 && bits < 64))
    return `its integers of ${bits} bits are stored in ${stored}`;
  return number(`${isSigned ? "i" : "u"}${bits}` as "i8");
}

/** Digits that 64 bits hold. */
const I64_DIGITS = 18;

function decimal({ type, logical_type, ...element }: SchemaElement): Meaning {
  const stated = logical_type?.type === "DECIMAL" ? logical_type : element;
  const precision = stated.precision ?? 0;
  const scale = stated.scale ?? 0;
  if (precision > I64_DIGITS) return `its decimals have ${precision} digits, and 64 bits hold ${I64_DIGITS}`;
  if (type === "FLOAT" || type === "DOUBLE" || type === "BOOLEAN" || type === "INT96" || type === undefined)
    return "its decimals are not stored as integers";
  return [{ kind: "decimal", scale, precision }, "decimal"];
}

function bytes({ converted_type, logical_type }: SchemaElement): Meaning {
  const kind = logical_type?.type ?? converted_type;
  switch (kind) {
    case "STRING":
    case "UTF8":
    case "ENUM":
    case "JSON":
      return [{ kind: "string" }, "string"];
    case undefined:
      return "its values are bytes without a meaning";
    default:
      return `its values are of the type ${kind}`;
  }
}
