import { type Fields, type FieldValues, pack, type Struct, struct } from "@polybin/core/backend";
import { wrong } from "../../base/index.ts";
import { own } from "../../platform/index.ts";

/** Params that every counting kernel has. The fields of its lowering and its algorithm follow them. */
export const COUNT_FIELDS: Fields = {
  /** Samples of all channels, or codes. */
  count: "u32",
  /** The first pixel, or the first cell of a pass. */
  first: "u32",
  /** Cells of a pass; for kernels that find rows, cells of a channel. */
  cells: "u32",
  /** The first count of the channel or the pass. */
  to: "u32",
};

/** Params of kernels whose blocks write partial tables, and of the kernel that merges them. */
export const PARTIAL_FIELDS: Fields = {
  /** Number of tables, one per block. */
  tables: "u32",
};

/** Params that every kernel of weighted sums has. */
export const SUMS_FIELDS = {
  /** Documents to add up, the number of segments, and the documents of a segment. */
  documents: "u32",
  segments: "u32",
  segmentDocuments: "u32",
  /** Features of the launch, and the first of them in binding 4. */
  features: "u32",
  firstFeature: "u32",
  /** Units from one row of values to the next. */
  pitch: "u32",
  /** Bins of a feature, and of a pass. */
  bins: "u32",
  binsPerPass: "u32",
  /** Words of totals before the launch's, and words of each feature. */
  to: "u32",
  featureWords: "u32",
  /** Rounds of a block between two flushes, and flushes of a block including the last one. */
  flushRounds: "u32",
  flushes: "u32",
  /** Whether the documents are those of a list. */
  listed: "bool",
} as const;

export type SumsValues = FieldValues<typeof SUMS_FIELDS>;

/** Values for the fields of a struct. */
export type Values = Readonly<Record<string, number | boolean>>;

/** Bytes from one dispatch's params to the next. */
export const PARAMS_STRIDE: number = own.PARAMS_BYTES;

/**
 * Concatenates the fields of all layers to the params of a kernel.
 * @throws ERR_INPUT if two layers have the same field, or if all fields together are too long.
 */
export function paramsOf(...layers: readonly Fields[]): Struct {
  const fields: Record<string, Fields[string]> = {};
  for (const [name, type] of layers.flatMap((layer) => Object.entries(layer))) {
    if (Object.hasOwn(fields, name))
      throw wrong(`expected a kernel's params to have ${name} once but received it twice`);
    fields[name] = type;
  }
  const made = struct("Params", fields);
  if (made.bytes <= PARAMS_STRIDE) return made;
  throw wrong(`expected a kernel's params to have at most ${PARAMS_STRIDE} bytes but received ${made.bytes}`);
}

/** Packs params of dispatches as they lie in a uniform buffer. */
export function packed(
  all: readonly { readonly kernel: { readonly params: Struct }; readonly params: Values }[],
): Uint32Array<ArrayBuffer> {
  const out = new Uint32Array((all.length * PARAMS_STRIDE) / Uint32Array.BYTES_PER_ELEMENT);
  const view = new DataView(out.buffer);
  for (const [i, { kernel, params }] of all.entries()) {
    pack(kernel.params, params as FieldValues<Fields>, view, i * PARAMS_STRIDE);
  }
  return out;
}
