import type { DeviceLimits } from "../base/index.ts";
import type { LookupSize } from "../lowering/index.ts";
import type { JointRule } from "./joint-rule.ts";
import type { Launch, LaunchRule } from "./launch.ts";
import type { ParameterRules, ParameterValues } from "./parameters.ts";
import type { PlanRequest, SegmentShape } from "./request.ts";

/** The input of an algorithm's plan rule. */
export interface LaunchRequest<P extends object = ParameterValues> {
  readonly parameters: P;
  /** Number of cells of a table. */
  readonly cells: number;
  /** Maximum number of samples of a launch. */
  readonly samples: number;
  /** Bytes per sample. Default: 1. */
  readonly sampleBytes?: number;
  /** Whether a sample can fall outside the cells. Default: false. */
  readonly flow?: boolean;
  /** Channels that are counted in parallel. Default: 1. */
  readonly channels?: number;
  readonly lookup?: LookupSize | null;
  /** Segments, each counted into its own table. Null or absent: all samples form one segment. */
  readonly segments?: SegmentShape | null;
}

/**
 * An algorithm: its name, source, plan rule and executable specification.
 * @typeParam P its parameters, as they are in effect
 */
// biome-ignore lint/suspicious/noExplicitAny: lists hold algorithms with any parameters, and each checks its own
export interface Algorithm<P extends object = any> {
  readonly slug: string;
  /** One line that describes the algorithm. */
  readonly title: string;
  /** Paper and section. */
  readonly source: string;
  /** Rules and defaults of its parameters. */
  readonly parameters: ParameterRules<P>;
  /** Maximum number of bins; null: passes reach any number. */
  readonly maxBins: number | null;
  /**
   * Its rank in `auto` on each kind of device, the lowest first, from measurements (docs/internals/notes). Without a rank,
   * `auto` takes it only if no algorithm with a rank can run.
   */
  readonly preferred?: Readonly<Partial<Record<DeviceLimits["kind"], number>>>;
  /** Whether it measured fastest for these requests, whatever the ranks. Default: for none. */
  isBest?(request: Omit<PlanRequest, "algorithm">, limits: DeviceLimits): boolean;
  /** Whether it needs threads that share memory, which the single-threaded simulation does not have. */
  readonly forks?: boolean;
  /** Whether it can also count segments, each into its own table. */
  readonly segments?: boolean;
  /**
   * How it counts several columns in one pass. Absent: a first pass writes the cells of the samples, and the algorithm
   * counts them.
   */
  readonly joint?: JointRule<P>;
  /** Returns the launch, or a sentence that states why this device cannot run the algorithm. */
  launch(request: LaunchRequest<P>, limits: DeviceLimits): LaunchRule<P> | string;
  /**
   * Simulates the paper's steps: blocks, threads, banks and counters of their real widths.
   * @param codes one code per sample; for segments, those of one segment. A code of `cells` or more is skipped, as a
   * predicated-off thread skips it.
   * @returns counts of `cells` cells.
   * @throws ERR_LIMIT if a counter would overflow, which means that the plan was wrong.
   *
   * Core's own algorithms do not have it here. The engine loads theirs when a simulation first runs.
   */
  reference?(codes: Uint32Array, launch: Launch<P>, cells: number): Float64Array;
}

/** `reference` of an algorithm. */
export type Reference = Required<Algorithm>["reference"];
