import type { SampleType, SegmentsInit } from "@polybin/core";
import type { Column, Request, RowsOf, Weighing } from "../request/request.ts";
import { countedPixels, type Data, FORMS, type Form, type Picture } from "../request/samples.ts";
import { overOf } from "./axes.ts";
import { type Combination, isOneInput } from "./parts.ts";

/** Bins of each column, so that a call has at most some 100,000 cells. */
const BINS: Readonly<Record<string, readonly number[]>> = {
  one: [37],
  two: [13, 7],
  three: [7, 5, 4],
  six: [3, 2, 2, 3, 2, 2],
};
const CHANNEL_BINS: readonly number[] = [9, 6];
/** The columns after the second one. */
const MORE: readonly { readonly type: SampleType; readonly axis: string }[] = [
  { type: "u8", axis: "regular inside" },
  { type: "f32", axis: "variable open" },
  { type: "i16", axis: "integer" },
  { type: "f64", axis: "regular" },
];

const WIDTH = 10;
const inRows = (part: Picture["part"], padding: number): Picture => ({ width: WIDTH, padding, part });

/** Interleaved channels, and the picture around the counted pixels. */
export const LAYOUTS: Readonly<Record<string, Pick<Data, "channels" | "picture">>> = {
  plain: { channels: 1, picture: null },
  "2 channels": { channels: 2, picture: null },
  "3 channels": { channels: 3, picture: null },
  "4 channels": { channels: 4, picture: null },
  rows: { channels: 1, picture: inRows("all", 0) },
  "padded rows": { channels: 1, picture: inRows("all", 8) },
  "rows at odd bytes": { channels: 1, picture: inRows("all", 3) },
  region: { channels: 1, picture: inRows("inner", 0) },
  "region at the border": { channels: 1, picture: inRows("right border", 8) },
  "region of one pixel": { channels: 1, picture: inRows("one pixel", 0) },
  "region of no pixel": { channels: 1, picture: inRows("no pixel", 0) },
  "3 channels of a region": { channels: 3, picture: inRows("inner", 8) },
};

/** Returns the request of a combination. */
export function requestOf(of: Combination, seed: number): Request {
  const columns = isOneInput(of) ? channelsOf(of, seed) : columnsOf(of, seed);
  const n = countedPixels(columns[0]!.data);
  const { mask, list } = of;
  return {
    columns,
    as: AS[of.columns] ?? "list",
    select: {
      mask: mask === "none" ? null : { seed: seed + 7, form: mask as Form | "bits" },
      where: list === "none" ? null : { seed, length: list === "some" ? n >> 2 : 2 * n + 3 },
    },
    rows: rowsOf(of, n, seed),
    weights: of.storage === "counts" ? null : weighingOf(of, seed),
    how: howOf(of.storage === "counts" ? of.algorithm : of.method),
    way: of.way as Request["way"],
  };
}

const AS: Readonly<Record<string, Request["as"]>> = {
  "joint channels": "channels",
  "each channel": "each",
  "each with its axis": "each own",
};

/** A column whose samples lie around its axis. */
function columnOf(data: Data, channel: number, axis: string, bins: number): Column {
  const over = overOf(axis, data.type, bins);
  const content = "axis" in over ? { around: over.axis as Exclude<typeof over.axis, number> } : "common";
  return { data: { ...data, content }, channel, over };
}

function firstData({ type, layout, input, size }: Combination, seed: number): Data {
  return { type: type as SampleType, pixels: Number(size), seed, form: input as Form, ...LAYOUTS[layout]! };
}

/** Columns of one input each. */
function columnsOf(of: Combination, seed: number): readonly Column[] {
  const [own, ...bins] = BINS[of.columns]!;
  const data = firstData(of, seed);
  const first = columnOf(data, data.channels - 1, of.axis, own!);
  const next = { type: of.otherType as SampleType, axis: of.otherAxis };
  const pixels = countedPixels(first.data);
  const others = [next, ...MORE].slice(0, bins.length).map(({ type, axis }, k) => {
    const form = k === 0 ? (of.otherInput as Form) : "array";
    const own: Data = { type, pixels, channels: 1, seed: seed + k + 1, form, picture: null };
    return columnOf(own, 0, axis, bins[k]!);
  });
  return [first, ...others];
}

/** Two channels of one input, the last one first. They have the same samples, around the axis of the first. */
function channelsOf(of: Combination, seed: number): readonly Column[] {
  const data = firstData(of, seed);
  const first = columnOf(data, data.channels - 1, of.axis, CHANNEL_BINS[0]!);
  const over = of.columns === "each channel" ? first.over : overOf(of.otherAxis, data.type, CHANNEL_BINS[1]!);
  return [first, { data: first.data, channel: 0, over }];
}

function rowsOf({ rows }: Combination, n: number, seed: number): RowsOf {
  if (rows === "one") return null;
  const cut = CUTS[rows]?.(n);
  if (cut !== undefined) return { cut, leave: rows === "rows that stay" };
  const form = formIn(rows);
  return {
    by: { seed, form, ...(rows === "300 groups" ? MANY_GROUPS : FEW_GROUPS[seed % FEW_GROUPS.length]!) },
  };
}

const MANY_GROUPS = { groups: 300, type: "u16" } as const;
const FEW_GROUPS = [
  { groups: 2, type: "u8" },
  { groups: 7, type: "i32" },
  { groups: 3, type: "i16" },
] as const;

const CUTS: Readonly<Record<string, (n: number) => SegmentsInit>> = {
  every: (n) => ({ every: Math.max(50, n >> 3) }),
  "rows that stay": (n) => ({ every: Math.max(50, n >> 3) }),
  offsets: (n) => ({ offsets: [n >> 3, n >> 3, n >> 1, n - (n >> 3)] }),
  tiles: () => ({ tiles: { width: 4, height: 40 } }),
};

function weighingOf({ storage }: Combination, seed: number): Weighing {
  const [first] = storage.split(" ");
  const isBytes = first === "u8";
  return {
    seed: seed + 3,
    type: first === "numbers" ? "f64" : (first as SampleType),
    of: isBytes ? "eighths" : "all sizes",
    form: formIn(storage),
    channels: storage.includes("channel") ? 3 : 1,
    squares: storage.endsWith("squares"),
    precision: storage.includes("fast") ? "fast" : "reproducible",
    ...(storage.includes("list") && { more: 2 }),
  };
}

/** The form that the value of a part names. */
export function formIn(value: string): Form {
  return FORMS.find((form) => form !== "array" && value.includes(form)) ?? "array";
}

function howOf(algorithm: string): Request["how"] {
  return algorithm === "auto" ? null : { algorithm, parameters: {} };
}
