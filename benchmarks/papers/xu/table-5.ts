import type { Measured, SumsRow } from "../measured.ts";
import type { Point } from "../model.ts";
import { digits } from "../readings/index.ts";
import { countersOf, deviceOf, unrollOf } from "./counters.ts";
import { asInPaper, fastestByBins } from "./rows.ts";

/** Threads per warp. */
const WARP = 32;

/** A block's shared memory, from its plan. */
export function bytesABlock({ weighted: { plans } }: SumsRow): number | null {
  const bytes = /(\d+) bytes (?:a|per) block/.exec(plans[0] ?? "")?.[1];
  return bytes === undefined ? null : Number(bytes);
}

/** Divides a block's shared memory by its warps, both from its plan. */
export function bytesAWarp(row: SumsRow): number | null {
  const bytes = bytesABlock(row);
  const threads = /x (\d+) threads/.exec(row.weighted.plans[0] ?? "")?.[1];
  return threads === undefined || bytes === null ? null : (bytes * WARP) / Number(threads);
}

/**
 * Registers by bins, if all kernels read the paper's N_unroll at a time. Kernels that fetch words round it up to
 * a word: a comparison of their registers would compare other kernels.
 */
export function registersByBins(measured: Measured): Point[] {
  const counted = countersOf(measured, "Table 5");
  if (counted.some((one) => unrollOf(one) !== one.cell.unroll)) return [];
  return counted.flatMap(({ bins, values: { registers } }) =>
    registers === null ? [] : [{ series: "registers per thread", x: bins, y: registers }],
  );
}

/** A thread that fetches words counts all values of a word, so narrow values have no little unrolling. */
export function wholeWords(measured: Measured): string | null {
  const words = asInPaper(measured.sums("Table 5")).filter(({ weighted }) => weighted.fetch === "word");
  const few = Math.min(...words.map(({ bins }) => bins));
  const unrolls = words.flatMap(({ bins, weighted: { unroll } }) => (bins === few && unroll ? [unroll] : []));
  const best = fastestByBins(asInPaper(measured.sums("Table 5")));
  const fastest = best.find(({ bins }) => bins === few)?.weighted.unroll;
  if (unrolls.length === 0 || fastest === undefined) return null;
  const lowest = Math.min(...unrolls);
  const most = Math.max(...best.flatMap(({ bins, weighted }) => (weighted.unroll === fastest ? [bins] : [])));
  return `The kernels fetch words of ${lowest} narrow values, so with ${few} bins the lowest N_unroll is ${lowest}. N_unroll = ${fastest} is the fastest up to ${most} bins.`;
}

/** Shared memory per multiprocessor of the paper's device, in bytes (Table 2). */
const SHARED_THEN = 48 * 1024;

/** A multiprocessor has more shared memory than in the paper. */
export function moreShared(measured: Measured): string | null {
  const shared = deviceOf(measured)?.sharedBytes;
  if (!shared || shared <= SHARED_THEN) return null;
  return `A multiprocessor has ${digits(shared / 1024)} KiB of shared memory, and the paper's has ${digits(SHARED_THEN / 1024)} KiB.`;
}
