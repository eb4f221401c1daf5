import { limits } from "@polybin/core/backend";
import { difference, Tile } from "../data/tile.ts";
import type { Bench } from "../runner/bench.ts";
import type { Loaded } from "../runner/count.ts";
import { median } from "../runner/statistics.ts";
import { REDUCED } from "./reduce.ts";

const DISTRIBUTIONS = ["uniform", "zeros", "ramp"] as const;
/** Runs that are too short to be timed one by one. */
const EXPONENTS: readonly number[] = [12, 14, 16, 18, 20, 22, 23];
const LAUNCHES = 1000;
const ROUNDS = 7;

/** The note with the measurements. */
const BACK_TO_BACK = "calls in flight, by the data";

/**
 * Measures whether short runs depend on the data: 1,000 calls in flight, and each one's share of the time on the
 * caller's clock. Distributions alternate within a round. Counts are compared before.
 */
export async function backToBack(bench: Bench): Promise<void> {
  const { engine, report, options } = bench;
  const launches = options.calls ?? LAUNCHES;
  const found: object[] = [];
  for (const exponent of EXPONENTS) {
    const loaded: Loaded[] = [];
    try {
      for (const distribution of DISTRIBUTIONS) {
        const tile = Tile.of({ type: "u8", top: limits.BYTE_VALUES, channels: 1 }, distribution);
        loaded.push(await bench.load(tile, 2 ** exponent));
      }
      for (const cell of REDUCED) {
        const { algorithm, reduce } = cell;
        const what = `${algorithm} reduce=${reduce}, ${BACK_TO_BACK}, n = ${2 ** exponent}`;
        if (!bench.hasTime(what)) continue;
        await using counter = await engine.prepare({ ...cell, type: "u8", channels: [0] });
        const wrong = [];
        for (const of of loaded)
          wrong.push(difference(await of.truth(cell), await counter.count(of.resident)));
        const lie = wrong.find((words) => words !== null);
        if (lie !== undefined) {
          report.miss(`${what}: ${lie}`);
          continue;
        }
        const shares = loaded.map((): number[] => []);
        for (let round = 0; round < ROUNDS; round++) {
          for (const [i, { resident }] of loaded.entries()) {
            const start = performance.now();
            await Promise.all(Array.from({ length: launches }, () => counter.count(resident)));
            shares[i]!.push(((performance.now() - start) * 1000) / launches);
          }
        }
        const times = shares.map(median);
        found.push({
          ...{ algorithm, reduce, n: 2 ** exponent, launches },
          microseconds: Object.fromEntries(DISTRIBUTIONS.map((name, i) => [name, times[i]])),
          worstOverBest: Math.min(...times) / Math.max(...times),
        });
        // Saved after each cell, because a suite may be cut off.
        report.note(BACK_TO_BACK, found, { backend: engine.backend, algorithm });
      }
    } finally {
      for (const of of loaded) await of[Symbol.asyncDispose]();
    }
  }
}
