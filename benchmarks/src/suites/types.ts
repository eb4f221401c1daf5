import { type HistogramOptions, integer, regular, variable } from "@polybin/core";
import { DISTRIBUTIONS, fill } from "../data/distributions.ts";
import { pixelBytes, type Shape, Tile } from "../data/tile.ts";
import type { Bench } from "../runner/bench.ts";
import type { Cell } from "../runner/count.ts";

const BINS = 256;
const EDGES: readonly number[] = Array.from({ length: BINS + 1 }, (_, i) => i / BINS);
/** Edges at equal ratios, like decibels, and edges without a rule. */
const RATIOS: readonly number[] = Array.from({ length: BINS + 1 }, (_, i) => 2 ** (-20 + (20 * i) / BINS));
const ANYWHERE: readonly number[] = anywhere(BINS);

/** Makes ascending numbers from 0 to 1 that no formula predicts, the same every time. */
function anywhere(bins: number): number[] {
  const bytes = new Uint8Array(4 * (bins - 1));
  fill(bytes, "uniform");
  const inner = Array.from(new Uint32Array(bytes.buffer), (x) => x / 2 ** 32);
  return [...new Set([0, ...inner, 1])].sort((a, b) => a - b);
}

/** Samples of one kind and their axes. `name` is the type in the rows, as in cub.cu. */
const KINDS: readonly {
  readonly shape: Shape;
  readonly pixels: number;
  readonly cells: readonly {
    readonly name: string;
    readonly cell: HistogramOptions & Pick<Cell, "channels">;
  }[];
}[] = [
  {
    shape: { type: "u16", top: 1024, channels: 1 },
    pixels: 2 ** 30,
    cells: [{ name: "u16", cell: { axis: integer(0, 1024) } }],
  },
  {
    shape: { type: "u16", top: 65_536, channels: 1 },
    pixels: 2 ** 30,
    cells: [
      { name: "u16", cell: { axis: integer(0, 65_536) } },
      { name: "u16 regular", cell: { axis: regular(1024, 0, 65_536) } },
      { name: "u16 regular, a part", cell: { axis: regular(1000, 100, 60_000) } },
    ],
  },
  {
    shape: { type: "f32", top: 1, channels: 1 },
    pixels: 2 ** 30,
    cells: [
      { name: "f32", cell: { axis: regular(BINS, 0, 1) } },
      { name: "f32 edges", cell: { axis: variable(EDGES) } },
      { name: "f32 edges, equal ratios", cell: { axis: variable(RATIOS) } },
      { name: "f32 edges, anywhere", cell: { axis: variable(ANYWHERE) } },
      { name: "f32 regular, 2048 bins", cell: { axis: regular(2048, 0, 1) } },
    ],
  },
  {
    shape: { type: "f64", top: 1, channels: 1 },
    pixels: 2 ** 29,
    cells: [{ name: "f64", cell: { axis: regular(BINS, 0, 1) } }],
  },
  {
    shape: { type: "u8", top: 256, channels: 4 },
    pixels: 2 ** 28,
    cells: [{ name: "rgba8, 3 of 4", cell: { channels: [0, 1, 2] } }],
  },
];

/** Measures per-lane on the other sample types and axes. */
export async function types(bench: Bench): Promise<void> {
  for (const { shape, pixels, cells } of KINDS) {
    bench.host(pixels * pixelBytes(shape));
    for (const distribution of DISTRIBUTIONS) {
      if (distribution === "sorted" && shape.channels > 1) {
        bench.report.miss(`${cells[0]!.name}, sorted: interleaved channels are not sorted by value`);
        continue;
      }
      await using data = await bench.load(Tile.of(shape, distribution), pixels);
      for (const { name, cell } of cells) {
        await bench.measure(data, { ...cell, algorithm: "per-lane" }, { type: name });
      }
    }
  }
}
