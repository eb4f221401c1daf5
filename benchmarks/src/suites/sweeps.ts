import { type Axis, integer, regular, variable } from "@polybin/core";
import { algorithms as known, limits, type ParameterRule } from "@polybin/core/backend";
import { DISTRIBUTIONS, type Distribution, fill, NO_CONFLICTS } from "../data/distributions.ts";
import { type Picture, planeOf, rgbaOf, samplePicture, tiled } from "../data/picture.ts";
import { BYTES, pixelBytes, type Shape, Tile } from "../data/tile.ts";
import type { Bench } from "../runner/bench.ts";
import type { Head } from "../runner/contest.ts";
import type { Cell } from "../runner/count.ts";
import type { Row } from "../runner/row.ts";
import { spreadsOf } from "../runner/spreads.ts";

/** Cells over the same resident samples, by numbers of pixels. */
export interface Sweep {
  /** Default: bytes. */
  readonly shape?: Shape;
  /** Default: every distribution. */
  readonly on?: readonly Distribution[];
  readonly steps: readonly { readonly n: number; readonly cells: readonly Cell[] }[];
  /** Returns fields of a cell's row. */
  place?(cell: Cell, i: number): Partial<Head>;
}

/** Measures sweeps, one distribution after the other. */
export async function sweep(bench: Bench, ...sweeps: readonly Sweep[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { shape = BYTES, on = DISTRIBUTIONS, steps, place } of sweeps) {
    bench.host(Math.max(...steps.map(({ n }) => n)) * pixelBytes(shape));
    for (const distribution of on) {
      if (distribution === "sorted" && shape.channels > 1) {
        const type = place?.(steps[0]!.cells[0]!, 0).type ?? shape.type;
        bench.report.miss(`${type}, sorted: interleaved channels are not sorted by value`);
        continue;
      }
      let made: Tile | undefined;
      const tile = () => (made ??= Tile.of(shape, distribution));
      for (const { n, cells } of steps)
        rows.push(...(await bench.measureEach({ shape, distribution }, tile, n, cells, place)));
    }
  }
  return rows;
}

export const PER_LANE = { algorithm: "per-lane" } as const;
const GIB = 2 ** 30;

/** Measures per-lane on bytes of all distributions at 1, 2 and 4 GiB, and every way to only read them. */
export async function headline(bench: Bench): Promise<void> {
  const sizes = [GIB, 2 * GIB, 4 * GIB];
  for (const bytes of sizes) await bench.ceiling(bytes, true);
  await sweep(bench, { steps: sizes.map((n) => ({ n, cells: [PER_LANE] })) });
}

const BINS = 256;
const each = (edge: (i: number) => number) => Array.from({ length: BINS + 1 }, (_, i) => edge(i));

/** Makes ascending numbers from 0 to 1 that no formula predicts, the same every time. */
function anywhere(bins: number): number[] {
  const bytes = new Uint8Array(4 * (bins - 1));
  fill(bytes, "uniform");
  const inner = Array.from(new Uint32Array(bytes.buffer), (x) => x / 2 ** 32);
  return [...new Set([0, ...inner, 1])].sort((a, b) => a - b);
}

type AxisOrChannels = { readonly axis: Axis } | { readonly channels: readonly number[] };

/** Samples of one kind, and what to count by the type in the rows, which is also cub.cu's. */
function typeSweep(shape: Shape, n: number, axes: Readonly<Record<string, AxisOrChannels>>): Sweep {
  const names = Object.keys(axes);
  const cells = Object.values(axes).map((cell): Cell => ({ ...cell, ...PER_LANE }));
  return { shape, steps: [{ n, cells }], place: (_, i) => ({ type: names[i]! }) };
}

/** Measures per-lane on the other sample types and axes. */
export async function types(bench: Bench): Promise<void> {
  await sweep(
    bench,
    typeSweep({ type: "u16", top: 1024, channels: 1 }, GIB, { u16: { axis: integer(0, 1024) } }),
    typeSweep({ type: "u16", top: 65_536, channels: 1 }, GIB, {
      u16: { axis: integer(0, 65_536) },
      "u16 regular": { axis: regular(1024, 0, 65_536) },
      "u16 regular, a part": { axis: regular(1000, 100, 60_000) },
    }),
    typeSweep({ type: "f32", top: 1, channels: 1 }, GIB, {
      f32: { axis: regular(BINS, 0, 1) },
      "f32 edges": { axis: variable(each((i) => i / BINS)) },
      // Like decibels.
      "f32 edges, equal ratios": { axis: variable(each((i) => 2 ** (-20 + (20 * i) / BINS))) },
      "f32 edges, anywhere": { axis: variable(anywhere(BINS)) },
      "f32 regular, 2048 bins": { axis: regular(2048, 0, 1) },
    }),
    typeSweep({ type: "f64", top: 1, channels: 1 }, GIB / 2, { f64: { axis: regular(BINS, 0, 1) } }),
    typeSweep({ type: "u8", top: 256, channels: 4 }, GIB / 4, { "rgba8, 3 of 4": { channels: [0, 1, 2] } }),
  );
}

const KS: readonly number[] = Array.from({ length: limits.TRISH_WORDS }, (_, i) => i + 1);

/** Measures Brown & Snoeyink's Figure 4. */
export function trishByK(bench: Bench, ks: readonly number[] = KS): Promise<Row[]> {
  return sweep(bench, {
    on: ["uniform", "zeros", "picture"],
    steps: [{ n: bench.options.bytes, cells: ks.map((k) => ({ algorithm: "trish", k })) }],
    place: ({ k }) => ({ rowSumEfficiency: limits.rowSumEfficiency(k!) }),
  });
}

/** Measures Figure 4 for every k. Notes the influence of the data: the lowest worst over best of all k. */
export async function trish(bench: Bench): Promise<void> {
  const spreads = spreadsOf(await trishByK(bench)).toSorted((a, b) => a.worstOverBest - b.worstOverBest);
  const [least] = spreads;
  if (least === undefined) return;
  bench.report.note("worst over best distribution", {
    least: { k: least.variant, worstOverBest: least.worstOverBest },
    below99Percent: spreads.filter((one) => one.worstOverBest < 0.99).map(({ variant }) => variant),
  });
}

/** Measures row sums of pairs and of single bytes (5.3), for the slowest, the recommended and the fastest k. */
export async function rowSumAddends(bench: Bench): Promise<void> {
  const cells = [1, limits.TRISH_K, limits.TRISH_WORDS].flatMap((k) =>
    (["pairs", "singletons"] as const).map((rowSums): Cell => ({ algorithm: "trish", k, rowSums })),
  );
  await sweep(bench, { on: ["uniform"], steps: [{ n: bench.options.bytes, cells }] });
}

export const PER_WARP: readonly Cell[] = (["atomic", "tag"] as const).map(
  (of): Cell => ({ algorithm: "per-warp", collisions: of }),
);

/** The methods of Figures 6 and 7: TRISH with the paper's k and with another good one, POD and NUG, and ours. */
const METHODS: readonly Cell[] = [
  { algorithm: "trish", k: limits.TRISH_K },
  { algorithm: "trish", k: limits.TRISH_WORDS },
  ...PER_WARP,
  { algorithm: "per-thread" },
  PER_LANE,
];
/** n = 8192 … 268,435,456. */
const LOG2N: readonly number[] = Array.from({ length: 16 }, (_, i) => 13 + i);

/** Measures Brown & Snoeyink's Figures 6 and 7, on the paper's random, worst and linear data. */
export async function figure6(bench: Bench, log2n: readonly number[] = LOG2N): Promise<void> {
  const steps = log2n.map((exponent) => ({ n: 2 ** exponent, cells: METHODS }));
  await sweep(bench, { on: ["uniform", "zeros", "ramp", NO_CONFLICTS], steps });
  const picture = samplePicture();
  await tiledSides(bench, "picture", planeOf(picture, 1), picture);
  await tiledSides(bench, "picture, RGBA with an alpha of 0", rgbaOf(picture, 0), picture);
  bench.report.miss(
    "Figure 7, Lena, Raft and MRI: they may not be redistributed; a generated picture, the command's sample, replaces them",
  );
}

/** Measures a picture at the paper's five sizes. */
export async function tiledSides(
  bench: Bench,
  name: string,
  pixels: Uint8Array,
  picture: Pick<Picture, "width" | "height">,
): Promise<void> {
  for (const side of [256, 512, 1024, 2048, 4096]) {
    const on = { shape: BYTES, distribution: name };
    const tile = () => Tile.ofBytes(name, tiled(pixels, picture, side));
    const bytes = pixels.length / (picture.width * picture.height);
    await bench.measureEach(on, tile, side * side * bytes, METHODS);
  }
}

/** The most bytes for algorithms that are two orders of magnitude slower than the others. */
const SLOW_BYTES = 2 ** 26;

/** Measures every algorithm on bytes of all distributions, those that are two orders of magnitude slower on less data. */
export async function algorithms(bench: Bench): Promise<void> {
  const cells: readonly Cell[] = [
    PER_LANE,
    ...[1, 4, 15, 21, 31, 32, 63].map((k) => ({ algorithm: "trish", k })),
    ...PER_WARP,
    ...[{ algorithm: "per-block" }, { algorithm: "per-thread" }],
    { algorithm: "per-thread-64", axis: regular(64, 0, 256) },
    ...(["periodic", "avoid", "check-shared", "check-global"] as const).flatMap((merge) =>
      (["row", "column", "interleaved"] as const).map((layout) => ({
        algorithm: "privatized",
        merge,
        layout,
      })),
    ),
  ];
  const slow = [{ algorithm: "bank-owned" }, { algorithm: "global" }];
  const { bytes } = bench.options;
  await sweep(bench, {
    steps: [
      { n: bytes, cells },
      { n: Math.min(bytes, SLOW_BYTES), cells: slow },
    ],
  });
}

/** Every algorithm whose blocks add up in several ways, in each of them. */
export const REDUCED: readonly Cell[] = Object.values(known).flatMap(({ slug, maxBins, parameters }) => {
  const rule = (parameters as Readonly<Record<string, ParameterRule>>).reduce;
  const few = maxBins !== null && maxBins < limits.BYTE_VALUES;
  const axis = few ? { axis: regular(maxBins, 0, limits.BYTE_VALUES) } : {};
  const ways = rule !== undefined && "of" in rule ? rule.of : [];
  return ways.map((way): Cell => ({ algorithm: slug, ...axis, reduce: way as Cell["reduce"] }));
});

/** Measures the merge of the blocks' tables next to global atomics, from a launch that is mostly a merge to one that hides it. */
export async function reduce(bench: Bench): Promise<void> {
  const sizes = [16, 20, 22, 24, 26, 28, 30].map((exponent) => 2 ** exponent);
  const fitting = sizes.filter((n) => n <= bench.options.bytes);
  await sweep(
    bench,
    ...fitting.map((n): Sweep => ({ on: ["uniform", "zeros"], steps: [{ n, cells: REDUCED }] })),
  );
}
