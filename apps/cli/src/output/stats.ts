import {
  type Bounded,
  type Counted,
  entropy,
  isodata,
  li,
  mean,
  minimum,
  mode,
  otsu,
  triangle,
  variance,
  yen,
} from "@polybin/analysis";
import { type Histogram, isPolybinError } from "@polybin/core";

/** A number and its bounds. Null if the counts do not determine it. */
export type Stat = { readonly [part in keyof Bounded]: number | null };

/** The name of a threshold. */
export type ThresholdName = "otsu" | "li" | "yen" | "triangle" | "isodata" | "minimum";

/** The thresholds in the order in which they are printed. */
const THRESHOLDS: { readonly [name in ThresholdName]: (histogram: Counted) => Bounded } = {
  otsu,
  li,
  yen,
  triangle,
  isodata,
  minimum,
};

/** The numbers of `--stats`, as `--json` prints them. */
export interface Stats {
  /** Samples that are not NaN. */
  readonly samples: number;
  readonly mean: Stat;
  /** The population's standard deviation. */
  readonly stddev: Stat;
  readonly mode: Stat;
  /** The entropy of the bins in bits. Null without samples. */
  readonly entropy: number | null;
  /** Null if a histogram has no such threshold. */
  readonly thresholds: { readonly [name in ThresholdName]: Stat | null };
}

/** Computes the numbers of one channel. */
export function statsOf(histogram: Histogram): Stats {
  const { value, low, high } = variance(histogram);
  const stddev = { value: Math.sqrt(value), low: Math.sqrt(low), high: Math.sqrt(high) };
  const thresholds = Object.entries(THRESHOLDS).map(([name, of]) => [name, threshold(of, histogram)]);
  return {
    samples: histogram.sum() + histogram.underflow + histogram.overflow,
    mean: stat(mean(histogram)),
    stddev: stat(stddev),
    mode: stat(mode(histogram)),
    entropy: known(entropy(histogram, { base: 2 })),
    thresholds: Object.fromEntries(thresholds) as Stats["thresholds"],
  };
}

function threshold(of: (histogram: Counted) => Bounded, histogram: Histogram): Stat | null {
  try {
    return stat(of(histogram));
  } catch (error) {
    // The histogram has no such threshold: it is empty, or it does not have two peaks.
    if (isPolybinError(error) && error.code === "ERR_INPUT") return null;
    throw error;
  }
}

function stat({ value, low, high }: Bounded): Stat {
  return { value: known(value), low: known(low), high: known(high) };
}

/** JSON has no NaN and no infinities. */
function known(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
