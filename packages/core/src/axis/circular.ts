import { expected, FLOW_ROWS } from "../base/index.ts";
import { SAMPLE_TRAITS, type SampleType } from "../input/index.ts";
import { checkedBins, edgesOf, own, regular, variable } from "./axis.ts";
import { lastAtMost } from "./code-of-value.ts";
import { defineKind, type Intervals, NAN, OVERFLOW, UNDERFLOW } from "./kinds.ts";
import { CIRCULAR_BINS } from "./limits.ts";
import { nextUp } from "./next-up.ts";
import type { CircularAxis } from "./types.ts";

/**
 * Creates an axis of `bins` bins of equal width around a circle, such as the hours of a day or the directions of a
 * compass. Every finite sample has a bin: values that differ by a multiple of the period share one. Samples of
 * -Infinity underflow, samples of Infinity overflow, and NaN is counted as NaN.
 *
 * The axis covers [0, period), or [lo, hi) with the period hi - lo, rounded to f64. Its edges are those of
 * `regular(bins, lo, hi)` in f64, whatever the samples. Samples are reduced and compared exactly.
 * @throws ERR_AXIS unless the ends are finite, lo < hi, and `bins` is a whole number of at least 1.
 * @throws ERR_LIMIT above 32,767 bins.
 */
export function circular(bins: number, period: number): CircularAxis;
export function circular(bins: number, lo: number, hi: number): CircularAxis;
export function circular(bins: number, first: number, end?: number): CircularAxis {
  const [lo, hi] = end === undefined ? [0, first] : [first, end];
  if (checkedBins(bins) > CIRCULAR_BINS) {
    throw expected("ERR_LIMIT", "bins", `at most ${CIRCULAR_BINS} bins of a circular axis`, bins);
  }
  const turn = regular(bins, lo, hi);
  // The edges are checked when they are made.
  edgesOf(turn, "f64");
  return own<CircularAxis>({ type: "circular", bins, lo: turn.lo, hi: turn.hi });
}

defineKind<CircularAxis>("circular", {
  names: ["type", "bins", "lo", "hi"],
  isClosed: false,
  rebuilt: ({ bins, lo, hi }) => circular(bins, lo, hi),
  isSame: (a, b) => a.lo === b.lo && a.hi === b.hi,
  edges: edgesOfTurn,
  intervals,
});

function edgesOfTurn({ bins, lo, hi }: CircularAxis): Float64Array {
  return edgesOf(regular(bins, lo, hi), "f64");
}

/** Ascending pieces of the numbers: piece i begins at starts[i], ends before the next, and has a code. */
interface Pieces {
  readonly starts: readonly number[];
  readonly codes: readonly number[];
  readonly end: number;
}

/**
 * Samples of up to 16 bits have a code for each value. Others are counted as the remainder x % period, which has the
 * sign of x and is exact:
 *
 *   -period … 0                          0 … period
 *   last bin | bin | … | bin | bin       last bin | bin | … | bin | bin
 */
function intervals(axis: CircularAxis, type: SampleType): Intervals {
  const period = axis.hi - axis.lo;
  const { bytes, integer } = SAMPLE_TRAITS[type];
  if (bytes === 8 && integer && period > Number.MAX_SAFE_INTEGER) return intervalsOfTurn(axis, period);
  const remainders = piecesOf(axis, period);
  const isShort = bytes <= 2;
  const { starts, codes, end } = isShort ? piecesOfShort(type, remainders, period) : remainders;
  const outside = [UNDERFLOW, OVERFLOW, NAN].map((flow) => axis.bins + flow);
  return {
    axis: variable([...starts, end], { closed: false }),
    codes: Uint32Array.from([...codes, ...outside]),
    period: isShort ? null : period,
  };
}

/** 64-bit integers whose remainders no f64 holds are counted within the turn, where the edges are f64s. */
function intervalsOfTurn(axis: CircularAxis, period: number): Intervals {
  const edges = edgesOfTurn(axis).subarray(0, axis.bins);
  return {
    axis: variable([...edges, Infinity], { closed: false }),
    codes: Uint32Array.from({ length: axis.bins + FLOW_ROWS }, (_, code) => code),
    period,
    from: axis.lo,
  };
}

/**
 * Returns the bins of remainders. The edges of a turn lie anywhere on the circle, so each is a remainder of either
 * sign, and the bins begin with the one that contains 0.
 */
function piecesOf(axis: CircularAxis, period: number): Pieces {
  const edges = edgesOfTurn(axis);
  const negative: Start[] = [];
  const positive: Start[] = [];
  for (let bin = 0; bin < axis.bins; bin++) {
    const edge = (edges[bin]! % period) + 0;
    positive.push({ at: edge < 0 ? leastFrom(edge, period) : edge, bin });
    negative.push({ at: edge < 0 ? edge : leastFrom(edge, -period), bin });
  }
  const starts: number[] = [];
  const codes: number[] = [];
  for (const [half, from, to] of [
    [negative, -period, 0],
    [positive, 0, period],
  ] as const) {
    half.sort((a, b) => a.at - b.at);
    const all = [{ at: from, bin: half.at(-1)!.bin }, ...half.filter(({ at }) => at < to)];
    for (const { at, bin } of all) {
      // A bin that no remainder of this sign reaches ends where it begins.
      if (starts.at(-1) === at) codes.pop();
      else starts.push(at);
      codes.push(bin);
    }
  }
  return { starts, codes, end: period };
}

interface Start {
  readonly at: number;
  readonly bin: number;
}

/**
 * Returns the smallest f64 that is at least part + period, for a part of the other sign and a smaller magnitude. Source:
 * Dekker's Fast2Sum, none of whose steps overflows.
 */
function leastFrom(part: number, period: number): number {
  const sum = part + period;
  const lost = part - (sum - period);
  return lost > 0 ? nextUp(sum) : sum;
}

/** Returns the bins of all values of a type, with equal neighbours as one piece. */
function piecesOfShort(type: SampleType, { starts: of, codes: ofPieces }: Pieces, period: number): Pieces {
  const starts: number[] = [];
  const codes: number[] = [];
  let end = 0;
  for (const value of valuesOf(type)) {
    const code = ofPieces[lastAtMost(of, of.length, value % period)]!;
    end = value + 1;
    if (code === codes.at(-1)) continue;
    starts.push(value);
    codes.push(code);
  }
  return { starts, codes, end };
}

/** Yields the finite values of a type of up to 16 bits, ascending. */
function* valuesOf(type: SampleType): Generator<number> {
  const { min, max, valueOfBits } = SAMPLE_TRAITS[type];
  if (valueOfBits === undefined) {
    for (let value = min; value <= max; value++) yield value;
    return;
  }
  let infinity = 0;
  while (valueOfBits(infinity) < Infinity) infinity++;
  for (let bits = infinity - 1; bits > 0; bits--) yield -valueOfBits(bits);
  for (let bits = 0; bits < infinity; bits++) yield valueOfBits(bits);
}
