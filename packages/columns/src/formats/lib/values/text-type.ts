import { expected, type SAMPLE_TRAITS } from "@polybin/core/backend";
import type { LogicalType, TimeUnit } from "../../../table/index.ts";

/** Types that text is read as. "timestamp" without a unit takes the one that the first rows need. */
export const TYPE_NAMES = [
  "u8",
  "i8",
  "u16",
  "i16",
  "u32",
  "i32",
  "i64",
  "u64",
  "f32",
  "f64",
  "boolean",
  "string",
  "date",
  "timestamp",
  "timestamp[s]",
  "timestamp[ms]",
  "timestamp[us]",
  "timestamp[ns]",
] as const;

/** A type that `types` may name. */
export type TypeName = (typeof TYPE_NAMES)[number];

/** Types of columns by name, as the option `types` takes them. */
export type TypesOption = Readonly<Record<string, TypeName>>;

/** Checked types of columns by name. */
export type Types = ReadonlyMap<string, TypeName>;

/** @throws ERR_INPUT unless the value maps names of columns to types. */
export function checkedTypes(types: unknown): Types {
  if (types === undefined) return new Map();
  if (typeof types !== "object" || types === null || Array.isArray(types)) {
    throw expected("ERR_INPUT", "types", 'an object of columns and types, such as { price: "f64" },', types);
  }
  for (const [column, type] of Object.entries(types)) {
    if (!(TYPE_NAMES as readonly unknown[]).includes(type)) {
      throw expected("ERR_INPUT", `types.${column}`, `one of ${TYPE_NAMES.join(", ")}`, type);
    }
  }
  return new Map(Object.entries(types));
}

/**
 * Converts a name to a logical type.
 * @param unit the unit of a timestamp without one.
 * @param hasOffset whether the texts have an offset from UTC, or a Z.
 */
export function logicalOf(type: TypeName, unit: TimeUnit, hasOffset: boolean): LogicalType {
  if (type === "boolean" || type === "string") return { kind: type };
  if (type === "date") return { kind: "date", unit: "day" };
  const timezone = hasOffset ? "UTC" : null;
  if (type === "timestamp") return { kind: "timestamp", unit, timezone };
  const stated = /^timestamp\[(\w+)\]$/.exec(type)?.[1] as TimeUnit | undefined;
  if (stated !== undefined) return { kind: "timestamp", unit: stated, timezone };
  return { kind: "number", type: type as keyof typeof SAMPLE_TRAITS };
}

/** Describes a type for messages: "i32", "timestamp[ms]". */
export function nameOfType(type: LogicalType): string {
  if (type.kind === "number") return type.type;
  return type.kind === "timestamp" ? `timestamp[${type.unit}]` : type.kind;
}
