import type { BinSums } from "@polybin/core/backend";
import { own } from "../../platform/index.ts";
import type { SumsLaunch } from "../prepare/sums.ts";

const WORD_VALUES: number = 2 ** 32;

/** Returns the sums of a feature whose totals begin at word `at` (kernels/lib/sums.wgsl). */
export function sumsOf(
  words: Uint32Array<ArrayBuffer>,
  at: number,
  { plan, featureWords }: Pick<SumsLaunch, "plan" | "featureWords">,
): BinSums {
  const { bins, squares, precision } = plan;
  const counts = plan.counts ? Float64Array.from(words.subarray(at, at + bins)) : null;
  const kinds = squares ? 2 : 1;
  const first = at + (plan.counts ? bins : 0);
  if (precision === "fast") {
    const end = at + featureWords;
    const floats = (kind: number) => floatsOf(words, first + kind * bins, end, bins, kinds * bins);
    return { counts, sums: floats(0), squares: squares ? floats(1) : null };
  }
  const pairs = (kind: number) => pairsOf(words, first + 2 * kind * bins, bins);
  return { counts, sums: pairs(0), squares: squares ? pairs(1) : null };
}

/** Reads sums of 64 bits: lower words, then upper ones. They are below 2^53, so a double holds them. */
function pairsOf(words: Uint32Array, at: number, bins: number): Float64Array {
  const sums = new Float64Array(bins);
  for (let bin = 0; bin < bins; bin++) {
    sums[bin] = (words[at + bins + bin]! | 0) * WORD_VALUES + words[at + bin]!;
  }
  return sums;
}

/** Adds up flushed tables, which are `apart` words apart, in doubles. */
function floatsOf(
  words: Uint32Array<ArrayBuffer>,
  from: number,
  end: number,
  bins: number,
  apart: number,
): Float64Array {
  const floats = new Float32Array(words.buffer, words.byteOffset, words.length);
  const sums = new Float64Array(bins);
  for (let at = from; at < end; at += apart) {
    for (let bin = 0; bin < bins; bin++) sums[bin]! += floats[at + bin]!;
  }
  // Undoes the scale that was applied before the upload.
  return sums.map((sum) => sum / own.FLOAT_SCALE);
}
