import { PolybinError, type WeightedSlug } from "@polybin/core";
import { limits, PRECISIONS, type Precision, WEIGHTED_SLUGS } from "@polybin/core/backend";
import { parseWhole } from "../base/index.ts";
import { type OwnShard, oneOf, parseAlgorithm, parseShard, parseThreads } from "../options/index.ts";

/** The options of `polybin weighted` as they were typed. */
export interface WeightedOptions {
  readonly bins: string;
  readonly weights?: string;
  readonly backend: string;
  readonly algorithm: string;
  readonly precision: string;
  readonly limbs?: string;
  readonly squares?: boolean;
  readonly threads?: string;
  readonly json?: boolean;
  readonly shard?: string;
  readonly out?: string;
}

/** Sums to compute, checked as far as possible before a byte is read. */
export interface WeightedRequest extends OwnShard {
  /** The most bins that a feature may have. */
  readonly bins: number;
  /** A file. Null if the labels are the weights. */
  readonly weights: string | null;
  readonly backend: string;
  readonly algorithm: WeightedSlug | "auto";
  readonly precision: Precision;
  /** Undefined if not given. */
  readonly limbs: 1 | 2 | undefined;
  readonly squares: boolean;
  readonly threads: number | undefined;
}

/**
 * Reads the options.
 * @throws ERR_INPUT or ERR_UNSUPPORTED with what was expected.
 */
export function parseWeightedRequest(path: string, options: WeightedOptions): WeightedRequest {
  const { weights = null, backend, algorithm, precision, squares = false, threads } = options;
  if (path === "-" && weights === "-") {
    throw new PolybinError("ERR_INPUT", "expected a file for FILE or --weights but both are standard input");
  }
  return {
    bins: parseWhole(options.bins, "--bins", limits.FEATURE_BINS_MIN, limits.MAX_BINS),
    weights,
    backend,
    algorithm: parseAlgorithm(algorithm, WEIGHTED_SLUGS),
    precision: oneOf(precision, PRECISIONS, "--precision"),
    limbs: parseLimbs(options),
    squares,
    threads: parseThreads(threads),
    ...parseShard(options, ["json"]),
  };
}

function parseLimbs({ limbs, precision }: WeightedOptions): 1 | 2 | undefined {
  if (limbs === undefined) return undefined;
  if (precision === "fast") {
    throw new PolybinError("ERR_INPUT", "expected no --limbs with --precision fast, which adds floats");
  }
  return parseWhole(limbs, "--limbs", 1, 2) as 1 | 2;
}
