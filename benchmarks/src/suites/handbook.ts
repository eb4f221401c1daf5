import { integer } from "@polybin/core";
import { Tile } from "../data/tile.ts";
import type { Bench } from "../runner/bench.ts";
import { Profiler } from "./ncu.ts";
import { count } from "./table1.ts";
import { METRICS } from "./table1-terms.ts";

/** Numbers of bins over which the additions of one global histogram spread. */
const BINS = [256, 4096, 65_536];
const SAMPLES = 2 ** 24;
const LAYOUTS = ["row", "column", "interleaved"] as const;

/** Measures causes of the CUDA Handbook's statements: global atomics by bins, and ncu's counters of the layouts. */
export async function handbook(bench: Bench): Promise<void> {
  for (const bins of BINS) {
    for (const distribution of ["uniform", "zeros"] as const) {
      await using data = await bench.load(
        Tile.of({ type: "u16", top: bins, channels: 1 }, distribution),
        SAMPLES,
      );
      await bench.measure(data, { algorithm: "global", axis: integer(0, bins) });
    }
  }
  const profiler = await Profiler.open(bench.report, "Handbook", Object.values(METRICS));
  if (profiler === null) return;
  const cells = (["uniform", "zeros"] as const).flatMap((distribution) =>
    LAYOUTS.flatMap((layout) =>
      (["periodic", "avoid"] as const)
        .filter((merge) => merge === "periodic" || layout === "interleaved")
        .map((merge) => ({ algorithm: "privatized", merge, layout, distribution })),
    ),
  );
  await count(bench, profiler, "Handbook", cells);
}
