import type { SampleArray } from "../../input/index.ts";
import { limits, ROW_BELOW } from "../../lowering/index.ts";
import { bringLanes, lanes, usesLanes } from "./lanes.ts";
import type { Loop } from "./loop.ts";

/** Samples as doubles, which hold all types. A loop that always sees the same type of array is several times as fast. */
export const doubles: Float64Array<ArrayBuffer> = new Float64Array(limits.DOUBLES_AT_ONCE);

/** The rows before those of the bins. Their counts move to the row of the values below, or to overflow. */
const FAR_BELOW = 0;
const FAR_ABOVE = 1;
const NEAR_BELOW = 2;

/** Counts the first `count` of `doubles` into the rows of a line (lowering/line.ts). */
export interface Ranked {
  /** Number of samples from which `begin` pays. */
  readonly least: number;
  /** Copies what the samples are compared with to fixed memory, for `countLanes`. */
  begin(): void;
  countLanes(count: number): void;
  countOne(table: Int32Array, count: number): void;
}

/** Counts samples of any type among thresholds: the lowest value of each bin, and of overflow. */
export function rankedLoop(bins: number, { least, begin, countLanes, countOne }: Ranked): Loop {
  const firstBin = ROW_BELOW + 1;
  const overflow = firstBin + bins;
  const nan = overflow + 1;
  const rows = nan + 1;
  const add = (table: Int32Array, run: SampleArray, first: number, stride: number): void => {
    const samples = run.length / stride;
    const byTurns = samples >= least && usesLanes(rows, samples);
    if (byTurns) begin();
    // Steps are whole pixels.
    const most = doubles.length - (doubles.length % stride);
    for (let from = 0; from < run.length; from += most) {
      const some = run.length <= most ? run : run.subarray(from, from + most);
      doubles.set(some);
      const count = stride === 1 ? some.length : bringTogether(first, some.length, stride);
      let far: number;
      if (byTurns) {
        countLanes(count);
        far = lanes[0]! + lanes[1]! + lanes[2]! + lanes[3]!;
        if (far > 0) lanes.fill(0, 0, 4);
      } else {
        countOne(table, count);
        far = table[FAR_BELOW]!;
        table[FAR_BELOW] = 0;
      }
      if (far > 0) {
        const nans = nansAmong(count);
        table[nan]! += nans;
        table[ROW_BELOW]! += far - nans;
      }
    }
    if (byTurns) bringLanes(table, rows);
    table[overflow]! += table[FAR_ABOVE]!;
    table[ROW_BELOW]! += table[NEAR_BELOW]!;
    table.fill(0, FAR_ABOVE, ROW_BELOW);
  };
  return { rows, bins, firstBin, flow: [ROW_BELOW, overflow, nan], add };
}

/** Moves the samples of one channel to the front. @returns how many there are */
function bringTogether(first: number, end: number, stride: number): number {
  let count = 0;
  for (let i = first; i < end; i += stride) doubles[count++] = doubles[i]!;
  return count;
}

function nansAmong(count: number): number {
  let nans = 0;
  for (let i = 0; i < count; i++) {
    const value = doubles[i]!;
    // The call of Number.isNaN is slow until the loop has run for long.
    // biome-ignore lint/suspicious/noSelfCompare: only NaN differs from itself
    if (value !== value) nans++;
  }
  return nans;
}
