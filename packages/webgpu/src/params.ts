import { limits } from "@polybin/core/backend";

/** The fields of Params in kernels/lib/params.wgsl, in their order. */
const FIELDS = [
  "count",
  "first",
  "cells",
  "to",
  "channel",
  "bins",
  "flip",
  "firstKey",
  "lastKey",
  "thresholds",
  "lastCell",
  "keyBase",
  "keyShift",
  "firstStep",
  "origin",
  "inverse",
  "scaleHigh",
  "scaleLow",
  "blocks",
  "rows",
  "rowsPerBlock",
  "k",
  "loops",
  "rowSize",
  "rowPitch",
  "left",
  "top",
] as const;

/** The fields of Params in kernels/lib/sums.wgsl, in their order. */
const SUMS_FIELDS = [
  "documents",
  "segments",
  "segmentDocuments",
  "features",
  "firstFeature",
  "pitch",
  "bins",
  "binsPerPass",
  "to",
  "featureWords",
  "flushRounds",
  "flushes",
  "listed",
] as const;

const FLOATS: readonly string[] = ["origin", "inverse"] satisfies Field[];

type Field = (typeof FIELDS)[number];

/** What differs from one dispatch to the next; a field that is not given is 0. */
export type Params = { readonly [name in Field]?: number };

/** The same of weighted sums. */
export type SumsParams = { readonly [name in (typeof SUMS_FIELDS)[number]]: number };

/** Bytes from one dispatch's params to the next. */
export const PARAMS_STRIDE: number = limits.WEBGPU_PARAMS_BYTES;

/** Params as they lie in a uniform buffer. */
export function packParams(all: readonly Params[]): Uint32Array<ArrayBuffer> {
  return pack(FIELDS, all);
}

export function packSumsParams(all: readonly SumsParams[]): Uint32Array<ArrayBuffer> {
  return pack(SUMS_FIELDS, all);
}

function pack<Name extends string>(
  fields: readonly Name[],
  all: readonly { readonly [name in Name]?: number }[],
): Uint32Array<ArrayBuffer> {
  const words = PARAMS_STRIDE / Uint32Array.BYTES_PER_ELEMENT;
  const out = new Uint32Array(all.length * words);
  const floats = new Float32Array(out.buffer);
  all.forEach((params, i) => {
    fields.forEach((field, at) => {
      const to = FLOATS.includes(field) ? floats : out;
      to[i * words + at] = params[field] ?? 0;
    });
  });
  return out;
}
