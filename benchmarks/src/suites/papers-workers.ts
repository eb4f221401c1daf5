import type { Bench } from "../runner/bench.ts";
import { algorithms, figure6, rowSumAddends, trishByK } from "./sweeps.ts";
import { weightedPaper, weightedParameters, weightedShapes } from "./weighted-paper.ts";

/** The k of a quick run. */
const SOME_KS = [1, 2, 4, 8, 15, 16, 21, 22, 31, 32, 42, 63];
/** Exponents of n on workers, and in a quick run. */
const LOG2N = [13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26];
const QUICK_LOG2N = [16, 21, 26];
/** A table that workers add in milliseconds. */
const TABLE = [16, 2 ** 14] as const;

/** The suites of the papers' figures with sizes for workers. */
export const onWorkers = (quick: boolean): Readonly<Record<string, (bench: Bench) => Promise<unknown>>> => ({
  trish: (bench) => trishByK(bench, quick ? SOME_KS : undefined),
  "trish-variants": rowSumAddends,
  figure6: (bench) => figure6(bench, quick ? QUICK_LOG2N : LOG2N),
  algorithms,
  "weighted-paper": (bench) => weightedPaper(bench, TABLE),
  "weighted-parameters": (bench) => weightedParameters(bench, TABLE),
  "weighted-shapes": (bench) => weightedShapes(bench, TABLE),
});
