import { claimOf, numbersOf } from "../data.ts";
import type { Measured, SumsRow } from "../measured.ts";
import type { Figure, Point } from "../model.ts";
import { because, digits, firstBelow, ratio, rule, trend } from "../readings/index.ts";
import { COUNTERS_COMMAND, counterPoints, countersOf, deviceOf, unrollOf } from "./counters.ts";
import { asInPaper, fastestByBins } from "./rows.ts";

const [paper, id] = ["xu", "table-5"] as const;
const BINS = [2, 4, 8, 16, 32, 64, 128];
const [UNROLL, BYTES] = ["best N_unroll", "bytes per warp"] as const;
const [REGISTERS, LIMITER] = ["registers per thread", "shared memory over the others"] as const;
const WARP = 32;
const bestOf = (measured: Measured) => fastestByBins(asInPaper(measured.sums("Table 5")));

/** Divides a block's shared memory by its warps, both from its plan. */
function bytesAWarp({ weighted: { plans } }: SumsRow): number | null {
  const [plan = ""] = plans;
  const threads = /x (\d+) threads/.exec(plan)?.[1];
  const bytes = /(\d+) bytes (?:a|per) block/.exec(plan)?.[1];
  return threads === undefined || bytes === undefined ? null : (Number(bytes) * WARP) / Number(threads);
}

/** Blocks per multiprocessor that shared memory allows, divided by the fewest that another resource allows. */
function limiter(measured: Measured): Point[] {
  return counterPoints(
    countersOf(measured, "Table 5"),
    LIMITER,
    ({ bins }) => bins,
    ({ values: { limitShared, limitRegisters, limitWarps, limitBlocks } }) => {
      const others = [limitRegisters, limitWarps, limitBlocks];
      return limitShared === null || others.includes(null)
        ? null
        : limitShared / Math.min(...(others as number[]));
    },
  );
}

/**
 * Registers by bins, if all kernels read the paper's N_unroll at a time. Kernels that fetch words round it up to a word:
 * a comparison of their registers would compare other kernels.
 */
function registers(measured: Measured): Point[] {
  const counted = countersOf(measured, "Table 5");
  if (counted.some((one) => unrollOf(one) !== one.cell.unroll)) return [];
  return counterPoints(
    counted,
    REGISTERS,
    ({ bins }) => bins,
    ({ values }) => values.registers,
  );
}

/** A thread that fetches words counts all values of a word, so narrow values have no little unrolling. */
function wholeWords(measured: Measured): string | null {
  const words = asInPaper(measured.sums("Table 5")).filter(({ weighted }) => weighted.fetch === "word");
  const few = Math.min(...words.map(({ bins }) => bins));
  const unrolls = words.flatMap(({ bins, weighted: { unroll } }) => (bins === few && unroll ? [unroll] : []));
  const best = bestOf(measured);
  const fastest = best.find(({ bins }) => bins === few)?.weighted.unroll;
  if (unrolls.length === 0 || fastest === undefined) return null;
  const lowest = Math.min(...unrolls);
  const most = Math.max(...best.flatMap(({ bins, weighted }) => (weighted.unroll === fastest ? [bins] : [])));
  return `The kernels fetch words of ${lowest} narrow values, so with ${few} bins the lowest N_unroll is ${lowest}. N_unroll = ${fastest} is the fastest up to ${most} bins.`;
}

/** Shared memory per multiprocessor of the paper's device, in bytes (Table 2). */
const SHARED_THEN = 48 * 1024;

/** A multiprocessor has more shared memory than in the paper. */
function moreShared(measured: Measured): string | null {
  const shared = deviceOf(measured)?.sharedBytes;
  if (!shared || shared <= SHARED_THEN) return null;
  return `A multiprocessor has ${digits(shared / 1024)} KiB of shared memory, and the paper's has ${digits(SHARED_THEN / 1024)} KiB.`;
}

export const table5: Figure = {
  paper,
  id,
  title: "Table 5: the collision-free method's best parameters",
  source: "6.1.2 and Table 5",
  lost: null,
  needs: "gpu",
  command: "run bench weighted-paper",
  panels: [
    {
      id: "unroll",
      title: "The best N_unroll by bins",
      mark: "line",
      x: { label: "bins", scale: "log" },
      y: { label: "N_unroll", scale: "log" },
      paper: numbersOf(paper, id, "unroll"),
      wanted: BINS.map((x) => ({ series: UNROLL, x })),
      ours: (measured) =>
        bestOf(measured).flatMap(({ bins, weighted: { unroll } }) =>
          unroll === undefined ? [] : [{ series: UNROLL, x: bins, y: unroll }],
        ),
    },
    {
      id: "shared",
      title: "Shared memory per warp by bins",
      mark: "line",
      x: { label: "bins", scale: "log" },
      y: { label: "bytes", scale: "log" },
      paper: numbersOf(paper, id, "shared"),
      wanted: BINS.map((x) => ({ series: BYTES, x })),
      ours: (measured) =>
        bestOf(measured).flatMap((row) => {
          const y = bytesAWarp(row);
          return y === null ? [] : [{ series: BYTES, x: row.bins, y }];
        }),
    },
    {
      id: "registers",
      title: "Registers per thread with the paper's N_unroll",
      mark: "line",
      x: { label: "bins", scale: "log" },
      y: { label: "registers", scale: "linear" },
      paper: numbersOf(paper, id, "registers"),
      wanted: BINS.map((x) => ({ series: REGISTERS, x })),
      command: COUNTERS_COMMAND,
      ours: registers,
    },
    {
      id: "limiter",
      title: "Blocks that fit by shared memory, of those that fit otherwise",
      mark: "line",
      x: { label: "bins", scale: "log" },
      y: { label: "ratio", scale: "log" },
      paper: [],
      wanted: BINS.map((x) => ({ series: LIMITER, x })),
      command: COUNTERS_COMMAND,
      ours: limiter,
    },
  ],
  rules: [
    because(rule("unroll", "More bins need more unrolling", "6.1.2", trend(UNROLL)), wholeWords),
    because(
      rule(
        "unroll",
        "Few bins need little unrolling: 128 bins over 2",
        "6.1.2",
        ratio({ series: UNROLL, x: 128 }, { series: UNROLL, x: 2 }),
      ),
      wholeWords,
    ),
    rule("registers", "More bins and more unrolling take more registers", "6.1.2", trend(REGISTERS)),
    because(
      rule(
        "limiter",
        "The lowest number of bins at which shared memory limits occupancy",
        "6.1.2",
        firstBelow(LIMITER, 1),
        claimOf(paper, id, "shared memory limits from"),
      ),
      moreShared,
    ),
    rule("shared", "Shared memory per warp by bins", "6.1.2", trend(BYTES)),
  ],
  notes: [
    "The registers are those of kernels that fetch single values, because a thread that fetches words rounds N_unroll up to a whole word. If only kernels that fetch words were counted, they are left out, and the last panel is theirs.",
    "The compiler decides about registers. ncu reads them, and which resource limits the number of blocks per multiprocessor. The last panel is below 1 where that is shared memory.",
  ],
};
