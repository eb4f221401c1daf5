import { BYTES, difference, Tile } from "../data/tile.ts";
import type { Bench } from "../runner/bench.ts";
import type { Cell, Loaded } from "../runner/count.ts";
import { median } from "../runner/statistics.ts";
import { REDUCED } from "./sweeps.ts";

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
  const { engine, report } = bench;
  const found: object[] = [];
  for (const n of EXPONENTS.map((exponent) => 2 ** exponent)) {
    const loaded: Loaded[] = [];
    try {
      for (const name of DISTRIBUTIONS) loaded.push(await bench.load(Tile.of(BYTES, name), n));
      for (const cell of REDUCED) {
        const { algorithm, reduce } = cell;
        const what = `${algorithm} reduce=${reduce}, ${BACK_TO_BACK}, n = ${n}`;
        if (!bench.hasTime(what)) continue;
        const of = await measure(bench, cell, loaded);
        if (typeof of === "string") report.miss(`${what}: ${of}`);
        else found.push({ algorithm, reduce, n, ...of });
        // Saved after each cell, because a suite may be cut off.
        report.note(BACK_TO_BACK, found, { backend: engine.backend, algorithm });
      }
    } finally {
      for (const of of loaded) await of[Symbol.asyncDispose]();
    }
  }
}

/** Returns each call's share by distribution, or what is wrong with the counts. */
async function measure({ engine, options }: Bench, cell: Cell, loaded: readonly Loaded[]) {
  const launches = options.calls ?? LAUNCHES;
  await using counter = await engine.prepare({ ...cell, type: "u8", channels: [0] });
  for (const of of loaded) {
    const wrong = difference(await of.truth(cell), await counter.count(of.resident));
    if (wrong !== null) return wrong;
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
  const microseconds = Object.fromEntries(DISTRIBUTIONS.map((name, i) => [name, times[i]]));
  return { launches, microseconds, worstOverBest: Math.min(...times) / Math.max(...times) };
}
