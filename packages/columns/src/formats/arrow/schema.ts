import { type DataType, type Field, Type, tableFromIPC } from "@uwdata/flechette";
import {
  type ColumnInfo,
  checkColumnCount,
  damaged,
  fault,
  type LogicalType,
  type TimeUnit,
  withUniqueNames,
} from "../../table/index.ts";
import type { Store } from "./task.ts";

/** A column of the table. `store` is null if it is refused. Places are indices into a record batch's lists. */
export interface Leaf extends ColumnInfo {
  readonly store: Store | null;
  readonly node: number;
  readonly buffer: number;
  readonly variadic: number;
  /** Id of the column's dictionary, and how its strings are stored. */
  readonly dictionary: { readonly id: number; readonly store: Store } | null;
}

/** Returns the columns that a schema's message states. */
export function leavesOf(name: string, metadata: Uint8Array): Leaf[] {
  const { schema } = tableFromIPC([framed(metadata)]);
  if (schema.endianness !== 0) throw fault(name, "ERR_UNSUPPORTED", "its values are big-endian");
  const isUnionOld = (schema.version ?? 0) < UNION_VERSION;
  const at = { node: 0, buffer: 0, variadic: 0 };
  const leaves = schema.fields.map((field): Leaf => {
    const meaning = meaningOf(field.type);
    const place = { ...at };
    advance(at, field.type, isUnionOld);
    const base = { name: field.name ?? "", nullable: field.nullable, ...place };
    if (typeof meaning === "string")
      return { ...base, type: { kind: "refused", reason: meaning }, store: null, dictionary: null };
    const [type, store, dictionary] = meaning;
    return { ...base, type, store, dictionary: dictionary ?? null };
  });
  if (leaves.some((leaf) => leaf.name.includes("\ufffd")))
    throw damaged(name, "the name of a column is not UTF-8");
  checkColumnCount(name, leaves.length);
  return withUniqueNames(leaves);
}

/** Unions have had no validity since version 5, which is number 4. */
const UNION_VERSION = 4;

/** A message as a stream holds it. */
function framed(metadata: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(8 + metadata.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 0xffff_ffff, true);
  view.setUint32(4, metadata.length, true);
  bytes.set(metadata, 8);
  return bytes;
}

/** Number of buffers of a type's own, without those of its children. */
const BUFFERS: ReadonlyMap<number, number> = new Map<number, number>([
  [Type.Null, 0],
  [Type.RunEndEncoded, 0],
  [Type.Struct, 1],
  [Type.FixedSizeList, 1],
  [Type.Utf8, 3],
  [Type.LargeUtf8, 3],
  [Type.Binary, 3],
  [Type.LargeBinary, 3],
  [Type.ListView, 3],
  [Type.LargeListView, 3],
]);

/** Moves past a field and its children. */
function advance(
  at: { node: number; buffer: number; variadic: number },
  type: DataType,
  isUnionOld: boolean,
): void {
  at.node++;
  if (type.typeId === Type.Union) at.buffer += (type.mode === 0 ? 1 : 2) + (isUnionOld ? 1 : 0);
  else at.buffer += BUFFERS.get(type.typeId) ?? 2;
  if (type.typeId === Type.BinaryView || type.typeId === Type.Utf8View) at.variadic++;
  if (type.typeId === Type.Dictionary) return;
  const { children } = type as { readonly children?: readonly Field[] };
  for (const child of children ?? []) advance(at, child.type, isUnionOld);
}

type Meaning = readonly [LogicalType, Store, Leaf["dictionary"]?] | string;

const UNITS: readonly TimeUnit[] = ["s", "ms", "us", "ns"];
/** Digits that 64 bits hold. */
const I64_DIGITS = 18;

const number = (
  type: "i8" | "u8" | "i16" | "u16" | "i32" | "u32" | "i64" | "u64" | "f32" | "f64",
): Meaning => [{ kind: "number", type }, type];

/** Returns the meaning and the storage of a column, or the reason for which it is refused. */
function meaningOf(type: DataType): Meaning {
  switch (type.typeId) {
    case Type.Int:
      return number(`${type.signed ? "i" : "u"}${type.bitWidth}` as "i8");
    case Type.Float:
      // Half floats are widened, because f16 has no array in every supported version of Node.
      return type.precision === 0
        ? [{ kind: "number", type: "f32" }, "f16"]
        : number(type.precision === 1 ? "f32" : "f64");
    case Type.Bool:
      return [{ kind: "boolean" }, "boolean"];
    case Type.Date:
      return type.unit === 0 ? [{ kind: "date", unit: "day" }, "i32"] : [{ kind: "date", unit: "ms" }, "i64"];
    case Type.Time:
      return [{ kind: "time", unit: UNITS[type.unit]! }, type.unit < 2 ? "i32" : "i64"];
    case Type.Timestamp:
      return [{ kind: "timestamp", unit: UNITS[type.unit]!, timezone: type.timezone || null }, "i64"];
    case Type.Decimal:
      if (type.precision > I64_DIGITS)
        return `its decimals have ${type.precision} digits, and 64 bits hold ${I64_DIGITS}`;
      return [
        { kind: "decimal", scale: type.scale, precision: type.precision },
        `decimal${type.bitWidth}` as Store,
      ];
    case Type.Utf8:
      return [{ kind: "string" }, "utf8"];
    case Type.LargeUtf8:
      return [{ kind: "string" }, "largeUtf8"];
    case Type.Utf8View:
      return [{ kind: "string" }, "view"];
    case Type.Dictionary: {
      const values = meaningOf(type.dictionary);
      if (typeof values === "string") return `the values of its dictionary are refused: ${values}`;
      if (values[0].kind !== "string")
        return `its dictionary has values of the kind ${values[0].kind}, and only strings are read`;
      const { indices } = type;
      return [
        { kind: "string" },
        `${indices.signed ? "i" : "u"}${indices.bitWidth}` as Store,
        { id: type.id, store: values[1] },
      ];
    }
    default:
      return REASONS.get(type.typeId) ?? `its type (number ${type.typeId} of Arrow) is unknown`;
  }
}

const LISTS = "its rows are lists";
const BYTES = "its values are bytes without a meaning";
const REASONS: ReadonlyMap<number, string> = new Map<number, string>([
  [Type.Null, "it has no values, and no type"],
  [Type.Binary, BYTES],
  [Type.LargeBinary, BYTES],
  [Type.BinaryView, BYTES],
  [Type.FixedSizeBinary, BYTES],
  [Type.List, LISTS],
  [Type.LargeList, LISTS],
  [Type.FixedSizeList, LISTS],
  [Type.ListView, LISTS],
  [Type.LargeListView, LISTS],
  [Type.Struct, "its rows are structures"],
  [Type.Map, "its rows are maps"],
  [Type.Union, "its rows have types of their own (a union)"],
  [Type.Interval, "its values are intervals of months, days and milliseconds"],
  [Type.Duration, "its values are durations, which have no logical type here"],
  [Type.RunEndEncoded, "its values are stored as runs"],
]);
