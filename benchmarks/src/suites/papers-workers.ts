import { cpu, openEngine } from "@polybin/core";
import { Bench } from "../runner/bench.ts";
import type { Report } from "../runner/report.ts";
import { algorithms } from "./algorithms.ts";
import { figure6 } from "./figure6.ts";
import type { HostOptions } from "./host-options.ts";
import { trishByK } from "./trish.ts";
import { rowSumAddends } from "./trish-variants.ts";
import { weightedPaper, weightedParameters, weightedShapes } from "./weighted-paper.ts";
import { WORKERS } from "./workers-target.ts";

type Suite = (bench: Bench) => Promise<void>;

/** The k of a quick run. */
const SOME_KS = [1, 2, 4, 8, 15, 16, 21, 22, 31, 32, 42, 63];
/** Exponents of n on workers, and in a quick run. */
const LOG2N = [13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26];
const QUICK_LOG2N = [16, 21, 26];
/** A table that workers add in milliseconds. */
const TABLE = [16, 2 ** 14] as const;

/** The suites of the papers' figures with sizes for workers. */
export const onWorkers = (quick: boolean): Readonly<Record<string, Suite>> => ({
  trish: async (bench) => {
    await trishByK(bench, quick ? SOME_KS : undefined);
  },
  "trish-variants": rowSumAddends,
  figure6: (bench) => figure6(bench, quick ? QUICK_LOG2N : LOG2N),
  algorithms,
  "weighted-paper": (bench) => weightedPaper(bench, ...TABLE),
  "weighted-parameters": (bench) => weightedParameters(bench, ...TABLE),
  "weighted-shapes": (bench) => weightedShapes(bench, ...TABLE),
});

const FULL = { bytes: 2 ** 26, rounds: 9 };
const QUICK = { bytes: 2 ** 24, rounds: 3 };

/** The same suites for `run bench NAME --backend piscina`, also on a machine with a GPU. */
export const PAPER_SUITES: Readonly<Record<string, (report: Report, options: HostOptions) => Promise<void>>> =
  Object.fromEntries(
    Object.keys(onWorkers(false)).map((name) => [
      name,
      async (report: Report, { quick, seconds }: HostOptions) => {
        await using engine = await openEngine({ backend: WORKERS.timed() });
        await using oracle = await openEngine({ backend: cpu() });
        const options = { ...(quick ? QUICK : FULL), budget: seconds };
        await onWorkers(quick)[name]!(new Bench(WORKERS, engine, oracle, report, options));
      },
    ]),
  );
