import type { Axis, SampleType } from "@polybin/core";
import { answer, type CodedColumn, type Numbers } from "../oracle/cells.ts";
import { codeOf } from "../oracle/codes.ts";
import { type Rows, segmentsOf } from "../oracle/segments.ts";
import { Random } from "../random.ts";
import { axesIn } from "./over.ts";
import {
  type By,
  type Column,
  isEach,
  type Request,
  type RowsOf,
  type Select,
  type Weighing,
} from "./request.ts";
import { countedPixels, type Data, meaningsOf, numbersOf, placesOf, regionOf } from "./samples.ts";

/** Counts a request by the definition: one result, or one for each column. @throws as the engine, if no axis fits the data */
export function expectedOf(request: Request): readonly Numbers[] {
  const { columns, select, rows, weights } = request;
  const axes = axesIn(request);
  const first = columns[0]!.data;
  const n = countedPixels(first);
  const of = {
    where: select.where === null ? null : listOf(n, select.where),
    mask: select.mask === null ? null : numbersOf(maskData(select.mask, n), 0),
    rows: rowsOf(rows, first, n),
    squares: weights?.squares === true,
    isFast: weights?.precision === "fast",
  };
  const coded = columns.map((column, k) => codedBy(column, axes[k]!));
  const weighed =
    weights === null ? [null] : weightsData(weights, n).map((data) => numbersOf(data, data.channels - 1));
  return (isEach(request) ? coded.map((one) => [one]) : [coded]).flatMap((some) =>
    weighed.map((one) => answer({ ...of, columns: some, weights: one })),
  );
}

/** The codes of the few numbers that samples have, by axis, type and content. Most axes of requests are the same objects. */
const kept = new WeakMap<Axis, Map<string, Uint32Array>>();

function codedBy({ data, channel }: Column, axis: Axis): CodedColumn {
  const known = kept.get(axis) ?? new Map<string, Uint32Array>();
  kept.set(axis, known);
  const key = `${data.type} ${JSON.stringify(data.content)}`;
  const codes = known.get(key) ?? Uint32Array.from(meaningsOf(data).map(codeOf(axis, data.type)));
  known.set(key, codes);
  const places = placesOf(data, channel);
  return { codes: Uint32Array.from(places, (place) => codes[place]!), bins: axis.bins };
}

function rowsOf(rows: RowsOf, first: Data, n: number): Rows | null {
  if (rows === null) return null;
  if ("cut" in rows) {
    const { width, height } = regionOf(first);
    return segmentsOf(rows.cut, width, height);
  }
  const groups = placesOf(groupsData(rows.by, n), 0);
  return { count: rows.by.groups, at: (pixel) => groups[pixel]! };
}

/** The list of indices of a selection of `n` pixels. */
export function listOf(n: number, { seed, length }: NonNullable<Select["where"]>): Uint32Array {
  const random = new Random(seed);
  return Uint32Array.from({ length: n === 0 ? 0 : length }, () => random.below(n));
}

const dataOf = (type: SampleType, pixels: number, of: { seed: number; form: Data["form"] }): Data => ({
  ...{ type, pixels, channels: 1, picture: null },
  ...{ seed: of.seed, form: of.form },
});

/** The bytes of a mask of `n` pixels. Those of bits are in memory. */
export function maskData({ seed, form }: NonNullable<Select["mask"]>, n: number): Data {
  return { ...dataOf("u8", n, { seed, form: form === "bits" ? "array" : form }), content: "mask" };
}

/** The groups of `n` pixels. */
export function groupsData({ type, groups, ...of }: By, n: number): Data {
  return { ...dataOf(type, n, of), content: { below: groups } };
}

/** The columns of weights of `n` pixels. Those after the first one are plain arrays. */
export function weightsData(
  { type, channels, of: content, more = 0, ...of }: Weighing,
  n: number,
): readonly [Data, ...Data[]] {
  const others = Array.from({ length: more }, (_, k): Data => {
    const next = { seed: of.seed + 101 * (k + 1), form: "array" } as const;
    return { ...dataOf(k % 2 === 0 ? "f32" : "f64", n, next), content };
  });
  return [{ ...dataOf(type, n, of), channels, content }, ...others];
}

/** Returns a mask as bits, the first sample in the lowest bit. Bits after the last sample are 1, which nobody counts. */
export function bitsOfMask(mask: ArrayLike<number>): Uint8Array {
  const bits = new Uint8Array(Math.ceil(mask.length / 8)).fill(0xff);
  for (let i = 0; i < mask.length; i++) if (mask[i] === 0) bits[i >> 3]! &= ~(1 << (i & 7));
  return bits;
}
