import type { DeviceLimits } from "../base/index.ts";
import type { BinSums } from "../weights/index.ts";
import type { ParameterRule, ParameterRules, ParameterValues } from "./parameters.ts";
import type { WeightedLaunch, WeightedPlan, WeightedRequest } from "./weighted-launch.ts";

/** The documents of one feature, as the references read them. */
export interface WeightedInput {
  /** One value a document. */
  readonly values: Uint8Array | Uint16Array | Uint32Array;
  /** As many, of either precision; as doubles, too, which hold both. */
  readonly weights: Int32Array | Float32Array | Float64Array;
  readonly squares: Int32Array | Float32Array | Float64Array | null;
  readonly bins: number;
  /** Documents of this value are passed over; null: none are. */
  readonly skip: number | null;
}

/** What a weighted algorithm's plan rule is told. */
export interface WeightedLaunchRequest<P extends object = ParameterValues>
  extends Omit<WeightedRequest, "parameters"> {
  readonly parameters: Partial<P>;
}

/** What its plan rule says; parameters that it does not mention are in effect as they were given. */
export type WeightedLaunchRule<P extends object = ParameterValues> = Omit<WeightedLaunch<P>, "parameters"> & {
  readonly parameters?: P;
};

/**
 * One weighted algorithm: what it is, where it comes from, how it is launched, and its executable specification.
 * @typeParam P its parameters, as they are in effect
 */
// biome-ignore lint/suspicious/noExplicitAny: a list of algorithms holds those of any parameters; each checks its own
export interface WeightedAlgorithm<P extends object = any> {
  readonly slug: string;
  /** One line for people. */
  readonly title: string;
  /** Paper and section. */
  readonly source: string;
  /** The parameters it takes: their rules and defaults; none where the default depends on the bins. */
  readonly parameters: ParameterRules<P>;
  /**
   * Its place in what `auto` tries for a request on a kind of device, the least first; from measurements (docs/weighted.md).
   * Null: `auto` takes it when nothing that has a place can.
   */
  preference?(request: WeightedRequest, kind: DeviceLimits["kind"]): number | null;
  /** True: `reference` is a plain loop that may be handed parts of the documents, as doubles; a simulation deals all out itself. */
  readonly plain?: boolean;
  /** The plan rule, or one sentence on why this device cannot. */
  launch(request: WeightedLaunchRequest<P>, limits: DeviceLimits): WeightedLaunchRule<P> | string;
  /**
   * The paper's steps, simulated: segments, threads, tables and the accumulators' real widths.
   * @throws ERR_LIMIT if one would overflow: the plan was wrong.
   *
   * Core's own algorithms do not have it here: theirs are loaded when weights are first added up.
   */
  reference?(input: WeightedInput, plan: WeightedPlan): BinSums;
}

/** A weighted algorithm without a kernel of its own: it deals each feature out to one of others. */
export interface ComposedAlgorithm {
  readonly slug: string;
  readonly title: string;
  readonly source: string;
  /** Those of the others. */
  readonly parameters: Readonly<Record<string, ParameterRule>>;
  /** Slugs of the others that a first round tries on a feature of so many bins; one: the bins decide. */
  candidates(bins: number): readonly string[];
}

/** Has it a plan and kernels of its own? */
export function isMethod(algorithm: WeightedAlgorithm | ComposedAlgorithm): algorithm is WeightedAlgorithm {
  return !isComposed(algorithm);
}

/** Is it one that chooses? */
export function isComposed(algorithm: WeightedAlgorithm | ComposedAlgorithm): algorithm is ComposedAlgorithm {
  return "candidates" in algorithm;
}
