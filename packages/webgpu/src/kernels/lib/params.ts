import { PolybinError } from "@polybin/core";
import { type Fields, type FieldValues, pack, type Struct, struct } from "@polybin/core/backend";
import { own } from "../../platform/index.ts";

/** What every kernel that counts is told of a dispatch; behind it lies what its lowering and its algorithm add. */
export const COUNT_FIELDS: Fields = {
  /** Samples of all channels, or codes. */
  count: "u32",
  /** The first pixel, or the first cell of a pass. */
  first: "u32",
  /** Cells of a pass; where rows are found: of a channel. */
  cells: "u32",
  /** Where in the counts the channel or the pass begins. */
  to: "u32",
};

/** What every kernel of weighted sums is told of a dispatch. */
const SUMS = {
  /** Documents that are added up, in segments of so many. */
  documents: "u32",
  segments: "u32",
  segmentDocuments: "u32",
  /** Features of the launch, and where they begin in binding 4. */
  features: "u32",
  firstFeature: "u32",
  /** Units from one row of values to the next one. */
  pitch: "u32",
  /** Bins of a feature, and of a pass. */
  bins: "u32",
  binsPerPass: "u32",
  /** Words of totals before the launch's, and of each feature. */
  to: "u32",
  featureWords: "u32",
  /** Rounds of a block between two flushes, and flushes of a block; its last one included. */
  flushRounds: "u32",
  flushes: "u32",
  /** Are the documents those of a list? */
  listed: "bool",
} as const;

export const SUMS_FIELDS: Fields = SUMS;

export type SumsValues = FieldValues<typeof SUMS>;

/** What the fields of a struct are given. */
export type Values = Readonly<Record<string, number | boolean>>;

/** Bytes from one dispatch's params to the next. */
export const PARAMS_STRIDE: number = own.PARAMS_BYTES;

/**
 * The params of a kernel, of one layer behind the other.
 * @throws ERR_INPUT where two layers name the same field, or all are too long for the place that params have.
 */
export function paramsOf(...layers: readonly Fields[]): Struct {
  const fields: Record<string, Fields[string]> = {};
  for (const [name, type] of layers.flatMap((layer) => Object.entries(layer))) {
    if (Object.hasOwn(fields, name)) throw wrong(`${name} once but it is there twice`);
    fields[name] = type;
  }
  const made = struct("Params", fields);
  if (made.bytes > PARAMS_STRIDE) throw wrong(`at most ${PARAMS_STRIDE} bytes but they have ${made.bytes}`);
  return made;
}

function wrong(what: string): PolybinError {
  return new PolybinError("ERR_INPUT", `expected of a kernel's params ${what}`, { backend: "webgpu" });
}

/** Params of dispatches as they lie in a uniform buffer. */
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
