import type { Distribution } from "../data/distributions.ts";
import { Tile } from "../data/tile.ts";
import type { Bench } from "../runner/bench.ts";
import type { Cell } from "../runner/count.ts";
import { Profiler } from "./ncu.ts";
import { BYTES, count } from "./table1.ts";
import { METRICS } from "./table1-terms.ts";

const ON: readonly Distribution[] = ["uniform", "zeros", "ramp", "picture"];
/** One histogram per thread, per block, and per bank of a block; then ours. */
const CELLS: readonly Cell[] = [
  { algorithm: "per-thread" },
  { algorithm: "per-block" },
  { algorithm: "bank-owned" },
  { algorithm: "per-lane" },
];

/** Measures the arrangements that Hardavellas' slides go through, side by side, with ncu's counters. */
export async function hardavellas(bench: Bench): Promise<void> {
  for (const distribution of ON) {
    await using data = await bench.load(Tile.of({ type: "u8", top: 256, channels: 1 }, distribution), BYTES);
    for (const cell of CELLS) await bench.measure(data, cell);
  }
  const profiler = await Profiler.open(bench.report, "Hardavellas", Object.values(METRICS));
  if (profiler === null) return;
  const probed = (["uniform", "zeros"] as const).flatMap((distribution) =>
    CELLS.slice(0, 3).map((cell) => ({ ...cell, distribution })),
  );
  await count(bench, profiler, "Hardavellas", probed);
}
