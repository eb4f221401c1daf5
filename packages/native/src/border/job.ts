import {
  type FieldType,
  type FieldValues,
  pack,
  SAMPLE_TYPES,
  type Struct,
  struct,
} from "@polybin/core/backend";

// Describes the numbers that cross into native code as bytes. scripts/generate.mjs writes the C++ of it.

/** Names for the numbers from 0 on. In C++ it is an `enum class`. */
export interface Enumeration {
  readonly enumeration: string;
  readonly values: readonly string[];
}

const Type: Enumeration = { enumeration: "Type", values: SAMPLE_TYPES };
/** How samples find their rows: bytes as they are, or by core's lowerings. */
const Kind: Enumeration = { enumeration: "Kind", values: ["raw", "direct", "table", "keys"] };
/** Instruction sets, each with all instructions of those before it. */
const Instructions: Enumeration = {
  enumeration: "Instructions",
  values: ["best", "plain", "avx2", "avx512"],
};
/** The algorithms that have a kernel. */
const Algorithm: Enumeration = { enumeration: "Algorithm", values: ["perLane", "perThread"] };

/** All enumerations. */
export const ENUMERATIONS: readonly Enumeration[] = [Type, Kind, Instructions, Algorithm];

/** The fields that are enumerations; all others have the struct's own types. */
export const NAMED: Readonly<Record<string, Enumeration>> = {
  type: Type,
  kind: Kind,
  instructions: Instructions,
  algorithm: Algorithm,
};

const FIELDS = {
  type: "u32",
  kind: "u32",
  instructions: "u32",
  algorithm: "u32",
  /** Interleaved samples per pixel, and a bit for each channel that is counted. */
  interleaved: "u32",
  channels: "u32",
  bins: "u32",
  /** Rows of a table: the 256 values of raw bytes, or the bins and three of flow. */
  rows: "u32",
  /** Tables of a thread for each channel. */
  tables: "u32",
  /** Most threads of a call, the bytes that pay for one more, and the bytes that a thread takes at a time. */
  threads: "u32",
  shareBytes: "u32",
  pieceBytes: "u32",
  /** keys: the last key of the bins. */
  lastLow: "u32",
  lastHigh: "u32",
  /** keys: whether the edges are even, so that bin = (sample - lo) * scale. */
  linear: "bool",
  /** direct: the first value. */
  start: "i64",
  lo: "f64",
  scale: "f64",
} as const satisfies Record<string, FieldType>;

/** A job without its arrays. Fields that it does not need are 0. */
export const JOB: Struct<typeof FIELDS> = struct("JobNumbers", FIELDS);

/** The values of a job's fields. Those of enumerations are names. */
export type JobValues = {
  readonly [name in keyof typeof FIELDS]: name extends "type" | "kind" | "instructions" | "algorithm"
    ? string
    : (typeof FIELDS)[name] extends "bool"
      ? boolean
      : number;
};

/** Packs a job into bytes. @throws ERR_INTERNAL for a value that a field cannot hold. */
export function packed(values: JobValues): Uint8Array {
  const numbers: Record<string, number | boolean | string> = { ...values };
  for (const [field, { values: names }] of Object.entries(NAMED)) {
    numbers[field] = names.indexOf(numbers[field] as string);
  }
  const bytes = new Uint8Array(JOB.bytes);
  pack(JOB, numbers as FieldValues<typeof FIELDS>, new DataView(bytes.buffer));
  return bytes;
}
