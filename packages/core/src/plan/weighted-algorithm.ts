import type { DeviceLimits } from "../base/index.ts";
import type { BinSums } from "../weights/index.ts";
import type { ParameterRule, ParameterRules, ParameterValues } from "./parameters.ts";
import type { SumsPlan, WeightedLaunch, WeightedRequest } from "./weighted-launch.ts";

/** The documents of one feature, in the form that the references read. */
export interface WeightedInput {
  /** One value per document. */
  readonly values: Uint8Array | Uint16Array | Uint32Array;
  /** One weight per document, of either precision, or as doubles, which hold both. */
  readonly weights: Int32Array | Float32Array | Float64Array;
  readonly squares: Int32Array | Float32Array | Float64Array | null;
  readonly bins: number;
  /** The value whose documents are skipped; null: none. */
  readonly skip: number | null;
}

/** The input of a weighted algorithm's plan rule. */
export interface WeightedLaunchRequest<P extends object = ParameterValues>
  extends Omit<WeightedRequest, "parameters"> {
  readonly parameters: Partial<P>;
}

/** The result of a weighted algorithm's plan rule. Parameters that it does not return stay as they were given. */
export type WeightedLaunchRule<P extends object = ParameterValues> = Omit<
  WeightedLaunch<P>,
  "parameters" | "subHistogramBytes"
> & {
  readonly parameters?: P;
  /** Documents of a block. Default: as many as fill the device. */
  readonly segmentDocuments?: number;
  /** Default: 0. */
  readonly subHistogramBytes?: number;
};

/**
 * A weighted algorithm: its name, source, plan rule and executable specification.
 * @typeParam P its parameters, as they are in effect
 */
// biome-ignore lint/suspicious/noExplicitAny: lists hold algorithms with any parameters, and each checks its own
export interface WeightedAlgorithm<P extends object = any> {
  readonly slug: string;
  /** One line that describes the algorithm. */
  readonly title: string;
  /** Paper and section. */
  readonly source: string;
  /** Rules and defaults of its parameters. A parameter whose default depends on the bins has none here. */
  readonly parameters: ParameterRules<P>;
  /**
   * Its rank in `auto` for a request on a kind of device, the lowest first, from measurements (docs/internals/weighted-sums.md).
   * With null, `auto` takes it only if no algorithm with a rank can run.
   */
  preference?(request: WeightedRequest, kind: DeviceLimits["kind"]): number | null;
  /**
   * Whether `reference` is a plain loop that accepts parts of the documents, as doubles. A simulation needs all
   * documents.
   */
  readonly plain?: boolean;
  /** Returns the launch, or a sentence that states why this device cannot run the algorithm. */
  launch(request: WeightedLaunchRequest<P>, limits: DeviceLimits): WeightedLaunchRule<P> | string;
  /**
   * Simulates the paper's steps: segments, threads, tables and accumulators of their real widths.
   * @throws ERR_LIMIT if an accumulator would overflow, which means that the plan was wrong.
   *
   * Core's own algorithms do not have it here. The engine loads theirs when weights are first added up.
   */
  reference?(input: WeightedInput, plan: SumsPlan): BinSums;
}

/** A weighted algorithm without a kernel. It assigns each feature to one of several other algorithms. */
export interface ComposedAlgorithm {
  readonly slug: string;
  readonly title: string;
  readonly source: string;
  /** The parameters of the other algorithms. */
  readonly parameters: Readonly<Record<string, ParameterRule>>;
  /** Returns the slugs that a first round tries on a feature with this number of bins. A single slug needs no trial. */
  candidates(bins: number): readonly string[];
}

/** Returns true for an algorithm with a plan and kernels of its own. */
export function isMethod(algorithm: WeightedAlgorithm | ComposedAlgorithm): algorithm is WeightedAlgorithm {
  return !isComposed(algorithm);
}

/** Returns true for an algorithm that chooses among others. */
export function isComposed(algorithm: WeightedAlgorithm | ComposedAlgorithm): algorithm is ComposedAlgorithm {
  return "candidates" in algorithm;
}
