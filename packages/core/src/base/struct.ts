import { PolybinError } from "./errors.ts";

/** Types of fields. `bool` is a 32-bit word of 0 or 1, as in WGSL's uniforms. */
export type FieldType = "u32" | "i32" | "f32" | "bool" | "u64" | "i64" | "f64";

/** Fields of a struct, in their order in memory. */
export type Fields = Readonly<Record<string, FieldType>>;

/** Values for the fields of a struct. 64-bit integers are passed as whole doubles, like all numbers of a plan. */
export type FieldValues<F extends Fields> = {
  readonly [name in keyof F]: F[name] extends "bool" ? boolean : number;
};

/**
 * Describes numbers that are passed from TypeScript to a kernel. The WGSL and C++ declarations are generated from it
 * at build time, and `pack` writes the bytes. Every field is aligned to its own size, as in C and WGSL.
 */
export interface Struct<F extends Fields = Fields> {
  readonly name: string;
  readonly fields: F;
  /** Byte offset of each field. */
  readonly offsets: { readonly [name in keyof F]: number };
  /** Size of the struct in bytes, a multiple of its widest field. */
  readonly bytes: number;
}

const BYTES: Readonly<Record<FieldType, number>> = {
  u32: 4,
  i32: 4,
  f32: 4,
  bool: 4,
  u64: 8,
  i64: 8,
  f64: 8,
};

/** Lays out the fields of a struct. */
export function struct<const F extends Fields>(name: string, fields: F): Struct<F> {
  const offsets: Record<string, number> = {};
  let end = 0;
  let widest = BYTES.u32;
  for (const [field, type] of Object.entries(fields)) {
    const size = BYTES[type];
    end = Math.ceil(end / size) * size;
    offsets[field] = end;
    end += size;
    widest = Math.max(widest, size);
  }
  return Object.freeze({
    name,
    fields,
    offsets: Object.freeze(offsets) as Struct<F>["offsets"],
    bytes: Math.ceil(end / widest) * widest,
  });
}

/**
 * Writes values at their offsets, little-endian as every device reads them.
 * @throws ERR_INTERNAL for a missing field, or a number that does not fit its field's type.
 */
export function pack<F extends Fields>(of: Struct<F>, values: FieldValues<F>, into: DataView, at = 0): void {
  for (const [field, type] of Object.entries(of.fields)) {
    const value: unknown = values[field];
    const to = at + of.offsets[field]!;
    if (!holds(type, value)) {
      throw new PolybinError(
        "ERR_INTERNAL",
        `expected ${type} for ${of.name}.${field} but received ${String(value)}`,
      );
    }
    if (type === "u32" || type === "bool") into.setUint32(to, Number(value), true);
    else if (type === "i32") into.setInt32(to, value as number, true);
    else if (type === "f32") into.setFloat32(to, value as number, true);
    else if (type === "f64") into.setFloat64(to, value as number, true);
    else into.setBigInt64(to, BigInt.asIntN(64, BigInt(value as number)), true);
  }
}

const WORD = 2 ** 32;

function holds(type: FieldType, value: unknown): boolean {
  if (type === "bool") return typeof value === "boolean";
  if (typeof value !== "number") return false;
  if (type === "f32" || type === "f64") return true;
  if (!Number.isSafeInteger(value)) return false;
  if (type === "u32") return value >= 0 && value < WORD;
  if (type === "i32") return value >= -WORD / 2 && value < WORD / 2;
  return type === "i64" || value >= 0;
}
