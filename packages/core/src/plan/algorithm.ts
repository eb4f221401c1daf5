import type { DeviceLimits } from "../base/index.ts";
import type { LookupSize } from "../lowering/index.ts";
import type { Launch } from "./launch.ts";
import type { ParameterRules, ParameterValues } from "./parameters.ts";
import type { SegmentShape } from "./request.ts";

/** What an algorithm's plan rule is told. */
export interface LaunchRequest<P extends object = ParameterValues> {
  readonly parameters: P;
  /** Cells of a table. */
  readonly cells: number;
  /** Samples of one launch, at most. */
  readonly samples: number;
  /** Bytes of a sample. Default 1. */
  readonly sampleBytes?: number;
  /** Can a sample fall outside the cells? Default no. */
  readonly flow?: boolean;
  /** Channels counted side by side. Default 1. */
  readonly channels?: number;
  readonly lookup?: LookupSize | null;
  /** Segments that are counted each into a table of its own; null or absent: none, all samples are one. */
  readonly segments?: SegmentShape | null;
}

/** What a plan rule says; parameters that it does not mention are in effect as they were given. */
export type LaunchRule<P extends object = ParameterValues> = Omit<Launch<P>, "parameters"> & {
  readonly parameters?: P;
};

/**
 * One algorithm: what it is, where it comes from, how it is launched, and its executable specification.
 * @typeParam P its parameters, as they are in effect
 */
// biome-ignore lint/suspicious/noExplicitAny: a list of algorithms holds those of any parameters; each checks its own
export interface Algorithm<P extends object = any> {
  readonly slug: string;
  /** One line for people. */
  readonly title: string;
  /** Paper and section. */
  readonly source: string;
  /** The parameters it takes: their rules and defaults. */
  readonly parameters: ParameterRules<P>;
  /** Most bins that it counts; null where passes reach any number. */
  readonly maxBins: number | null;
  /**
   * Its place in what `auto` tries on each kind of device, the least first; from measurements (docs/notes). Where it has
   * none, `auto` takes it when nothing that has one can.
   */
  readonly preferred?: Readonly<Partial<Record<DeviceLimits["kind"], number>>>;
  /** True: it needs threads that share memory, which the simulation on one thread has not. */
  readonly forks?: boolean;
  /** True: it counts segments, too, each into a table of its own. */
  readonly segments?: boolean;
  /** The plan rule, or one sentence on why this device cannot. */
  launch(request: LaunchRequest<P>, limits: DeviceLimits): LaunchRule<P> | string;
  /**
   * The paper's steps, simulated: blocks, threads, banks and the counters' real widths.
   * `codes`: one code a sample, of segments those of one; a code of `cells` or more is passed over, as a predicated-off thread does.
   * @returns counts of `cells` cells.
   * @throws ERR_LIMIT if a counter would overflow: the plan was wrong.
   *
   * Core's own algorithms do not have it here: theirs are loaded when a simulation first runs.
   */
  reference?(codes: Uint32Array, launch: Launch<P>, cells: number): Float64Array;
}

/** `reference` of an algorithm. */
export type Reference = Required<Algorithm>["reference"];
