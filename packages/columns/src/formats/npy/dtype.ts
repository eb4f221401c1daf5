import { PolybinError, type SampleType } from "@polybin/core";
import { SAMPLE_TRAITS } from "@polybin/core/backend";
import type { LogicalType, TimeUnit } from "../../table/index.ts";
import type { Literal } from "./literal.ts";

/** How the bytes of an element become a value. */
export type Element =
  | { readonly as: "number"; readonly type: SampleType }
  | { readonly as: "boolean" }
  /** 64-bit integers whose smallest one is a null. */
  | { readonly as: "time" | "day" }
  | { readonly as: "bytes" | "characters" }
  | { readonly as: "refused" };

/** A column of an array: a plain dtype, or a field of a structured one. */
export interface Field {
  readonly name: string;
  readonly type: LogicalType;
  readonly element: Element;
  /** Offset in the record, and bytes. */
  readonly offset: number;
  readonly bytes: number;
  /** Whether the bytes of a number are in the other order than this machine's. */
  readonly swaps: boolean;
}

/** The dtype of an array: bytes per record, and its fields. A plain dtype has one field without a name. */
export interface Dtype {
  readonly bytes: number;
  readonly fields: readonly Field[];
  readonly isStructured: boolean;
}

const NUMBERS: ReadonlyMap<string, SampleType> = new Map([
  ["i1", "i8"],
  ["u1", "u8"],
  ["i2", "i16"],
  ["u2", "u16"],
  ["i4", "i32"],
  ["u4", "u32"],
  ["i8", "i64"],
  ["u8", "u64"],
  ["f2", "f16"],
  ["f4", "f32"],
  ["f8", "f64"],
]);

/** Bytes of a record at most. */
const MAX_RECORD_BYTES = 16_777_216;
const CHARACTER_BYTES = 4;

/** @throws Error if the value describes no dtype. */
export function dtypeOf(descr: Literal): Dtype {
  if (typeof descr === "string") {
    const field = fieldOf("", descr, 0);
    return { bytes: sized(field.bytes), fields: [field], isStructured: false };
  }
  if (!Array.isArray(descr)) throw new Error("expected a dtype");
  const fields: Field[] = [];
  let offset = 0;
  for (const entry of descr as readonly Literal[]) {
    if (!Array.isArray(entry) || entry.length < 2 || entry.length > 3)
      throw new Error("expected fields of a name and a dtype");
    // A field may have a title before its name.
    const name = Array.isArray(entry[0]) ? entry[0][1] : entry[0];
    if (typeof name !== "string") throw new Error("expected names of fields");
    const field = fieldIn(name, entry[1]!, entry[2], offset);
    // Fields without a name fill the space between others.
    if (name !== "") fields.push(field);
    offset = sized(offset + field.bytes);
  }
  return { bytes: offset, fields, isStructured: true };
}

function sized(bytes: number): number {
  if (bytes >= 1 && bytes <= MAX_RECORD_BYTES) return bytes;
  throw new Error(`expected elements of 1 to ${MAX_RECORD_BYTES} bytes but found ${bytes}`);
}

/** Returns a field of a structured dtype, whose own dtype may be structured, or an array. */
function fieldIn(name: string, descr: Literal, shape: Literal | undefined, offset: number): Field {
  if (shape !== undefined) {
    const times = Array.isArray(shape) ? (shape as readonly Literal[]) : [shape];
    const count = times.reduce<number>(
      (product, n) => product * (Number.isInteger(n) && (n as number) >= 0 ? (n as number) : Number.NaN),
      1,
    );
    if (Number.isNaN(count)) throw new Error("expected a shape of a field");
    return refused(name, offset, count * dtypeOf(descr).bytes, "each value is an array");
  }
  if (typeof descr === "string") return fieldOf(name, descr, offset);
  return refused(name, offset, dtypeOf(descr).bytes, "each value has fields of its own");
}

const refused = (name: string, offset: number, bytes: number, reason: string): Field => ({
  name,
  type: { kind: "refused", reason },
  element: { as: "refused" },
  ...{ offset, bytes, swaps: false },
});

/** Returns the field of a type string such as "<f8", "|b1" or "<M8[ns]". */
function fieldOf(name: string, text: string, offset: number): Field {
  const [, order, kind, digits, unit] = /^([<>|=]?)([a-zA-Z])(\d*)(?:\[(\w*)\])?$/.exec(text) ?? [];
  if (kind === undefined) throw new Error(`expected a dtype but found ${text.slice(0, 40)}`);
  const size = digits === "" ? 1 : Number(digits);
  const bytes = kind === "U" ? size * CHARACTER_BYTES : size;
  const base = { name, offset, bytes, swaps: order === ">" };
  // Nothing states where the data of objects end, so no column of such an array can be read.
  if (kind === "O")
    throw new PolybinError(
      "ERR_UNSUPPORTED",
      "expected numbers but found Python objects, which are pickled: reading them could run code",
    );
  const number = NUMBERS.get(`${kind}${size}`);
  if (number !== undefined) {
    const type: LogicalType = { kind: "number", type: number === "f16" ? "f32" : number };
    return { ...base, type, element: { as: "number", type: number } };
  }
  if (kind === "b" && size === 1) return { ...base, type: { kind: "boolean" }, element: { as: "boolean" } };
  if (kind === "M" && size === SAMPLE_TRAITS.i64.bytes) return timeField(base, unit ?? "");
  if (kind === "S" || kind === "U") {
    return { ...base, type: { kind: "string" }, element: { as: kind === "S" ? "bytes" : "characters" } };
  }
  return refused(
    name,
    offset,
    bytes,
    REASONS[kind] ?? `no column has numbers of the dtype ${text.slice(0, 40)}`,
  );
}

function timeField(base: Omit<Field, "type" | "element">, unit: string): Field {
  if (unit === "D") return { ...base, type: { kind: "date", unit: "day" }, element: { as: "day" } };
  if (["s", "ms", "us", "ns"].includes(unit)) {
    return {
      ...base,
      type: { kind: "timestamp", unit: unit as TimeUnit, timezone: null },
      element: { as: "time" },
    };
  }
  return refused(
    base.name,
    base.offset,
    base.bytes,
    `times have the unit ${unit || "generic"}; save them as datetime64[s]`,
  );
}

const REASONS: Readonly<Record<string, string>> = {
  c: "complex numbers have two parts; save .real and .imag",
  m: "durations have no column; save them as integers",
  V: "raw bytes have no column",
};
