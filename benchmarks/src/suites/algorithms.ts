import { regular } from "@polybin/core";
import { DISTRIBUTIONS } from "../data/distributions.ts";
import { Tile } from "../data/tile.ts";
import type { Bench } from "../runner/bench.ts";
import type { Cell } from "../runner/count.ts";

const CELLS: readonly Cell[] = [
  { algorithm: "per-lane" },
  ...[1, 4, 15, 21, 31, 32, 63].map((k): Cell => ({ algorithm: "trish", k })),
  { algorithm: "per-warp", collisions: "atomic" },
  { algorithm: "per-warp", collisions: "tag" },
  { algorithm: "per-block" },
  { algorithm: "per-thread" },
  { algorithm: "per-thread-64", axis: regular(64, 0, 256) },
  ...(["periodic", "avoid", "check-shared", "check-global"] as const).flatMap((merge) =>
    (["row", "column", "interleaved"] as const).map(
      (layout): Cell => ({ algorithm: "privatized", merge, layout }),
    ),
  ),
];

/** Algorithms two orders of magnitude slower than the rest, which are measured on less data. */
const SLOW: readonly Cell[] = [{ algorithm: "bank-owned" }, { algorithm: "global" }];
const SLOW_BYTES = 2 ** 26;

/** Measures every algorithm on bytes of all distributions. */
export async function algorithms(bench: Bench): Promise<void> {
  const { bytes } = bench.options;
  bench.host(bytes);
  for (const distribution of DISTRIBUTIONS) {
    const tile = Tile.of({ type: "u8", top: 256, channels: 1 }, distribution);
    await using data = await bench.load(tile, bytes);
    for (const cell of CELLS) await bench.measure(data, cell);
    await using less = await bench.load(tile, SLOW_BYTES);
    for (const cell of SLOW) await bench.measure(less, cell);
  }
}
