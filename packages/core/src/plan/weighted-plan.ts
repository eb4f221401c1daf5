import {
  BUFFER_MAX,
  type DeviceLimits,
  divideCeiling,
  type ParameterRule,
  SEGMENT_ALIGN,
  SEGMENT_FILL,
  SEGMENT_ROUNDS,
  UNROLL_MAX,
  WARP_THREADS,
} from "../base/index.ts";
import type { ValueType } from "../input/index.ts";
import type { BinSums, Precision } from "../weights/index.ts";

/** The weighted algorithms that add something up: what a plan names, and a device has a kernel for. */
export type WeightedMethod =
  | "weighted-sequential"
  | "weighted-collision-free"
  | "weighted-collision"
  | "weighted-collision-reduced"
  | "weighted-fixed-point";

/** All weighted algorithms; the hybrid chooses one of the others for each feature. */
export type WeightedSlug = WeightedMethod | "weighted-hybrid";

/** Parameters that some weighted algorithms take; each names its own in `parameters`. */
export interface WeightedParameters {
  /** collision-reduced: units of a thread's buffer (the paper's N_buffer), 1 to 64. */
  readonly buffer?: number | undefined;
  /** collision-free, collision: documents that a thread reads before it adds (N_unroll), 1 to 32. */
  readonly unroll?: number | undefined;
  /** collision, collision-reduced: warps a block (N_warp), 1 to 32. */
  readonly warps?: number | undefined;
}

/** What is to be added up, as far as a plan depends on it. */
export interface WeightedRequest extends WeightedParameters {
  readonly type: ValueType;
  /** Bins of each feature. */
  readonly bins: number;
  readonly features: number;
  /** Documents of one feature. */
  readonly documents: number;
  readonly precision: Precision;
  /** Are documents counted, too? Not where their counts are known, or nobody asks. */
  readonly counts: boolean;
  /** Are squares of the weights added up, too? */
  readonly squares: boolean;
}

/** An algorithm's own share of a plan. */
export interface WeightedLaunch extends WeightedParameters {
  /** Threads a block. */
  readonly threads: number;
  /** Tables of one feature that a block keeps: thread t adds to table t mod replicas. */
  readonly replicas: number;
  /** Features that a block adds up side by side. */
  readonly featuresPerBlock: number;
  /** Bits of a counter. */
  readonly counterBits: 14 | 16 | 32;
  /**
   * Bits of a sum: 32; 64 in two words, the upper one touched where the lower one wraps; or 50, of which 18 share a word
   * with a counter of 14 bits (COUNT_BITS).
   */
  readonly sumBits: 32 | 50 | 64;
  /** Bins that one pass over the documents adds up. */
  readonly binsPerPass: number;
  /** Bytes of shared memory a block. */
  readonly sharedBytes: number;
  /**
   * Documents that a block adds before its tables go into 64-bit (or double) totals and begin anew, so that none of its
   * sums and counters overflows; null: they cannot.
   */
  readonly flushDocuments: number | null;
}

/** All that a kernel needs to know of some features of as many bins: frozen, comparable, printable. */
export interface WeightedPlan extends WeightedLaunch {
  readonly algorithm: WeightedMethod;
  readonly type: ValueType;
  readonly bins: number;
  readonly features: number;
  readonly documents: number;
  readonly precision: Precision;
  /** Where not, a cell has no counter. */
  readonly counts: boolean;
  readonly squares: boolean;
  /** Parts that the documents are dealt out in; a block has one part of one feature, or of `featuresPerBlock`. */
  readonly segments: number;
  /** Documents of a segment, the last one aside: a multiple of SEGMENT_ALIGN. */
  readonly segmentDocuments: number;
  /** Passes over the documents, each adding up the next `binsPerPass` bins. */
  readonly passes: number;
}

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

/** One weighted algorithm: what it is, where it comes from, how it is launched, and its executable specification. */
export interface WeightedAlgorithm {
  readonly slug: WeightedMethod;
  /** One line for people. */
  readonly title: string;
  /** Paper and section. */
  readonly source: string;
  /** The parameters it takes, with their defaults; undefined where the default depends on the bins. */
  readonly parameters: Readonly<WeightedParameters>;
  /** The plan rule, or one sentence on why this device cannot. */
  launch(request: WeightedRequest, limits: DeviceLimits): WeightedLaunch | string;
  /**
   * The paper's steps, simulated: segments, threads, tables and the accumulators' real widths.
   * @throws ERR_LIMIT if one would overflow: the plan was wrong.
   */
  reference(input: WeightedInput, plan: WeightedPlan): BinSums;
}

/**
 * The plan of a method on a device, or the sentence that says why there is none.
 * @param parameters the method's own, checked
 */
export function weightedPlanBy(
  algorithm: WeightedAlgorithm,
  parameters: WeightedParameters,
  request: WeightedRequest,
  limits: DeviceLimits,
): WeightedPlan | string {
  const { type, bins, features, documents, precision, counts, squares } = request;
  const launch = algorithm.launch(
    { type, bins, features, documents, precision, counts, squares, ...algorithm.parameters, ...parameters },
    limits,
  );
  if (typeof launch === "string") return launch;
  const segments = segmentsThatFill(launch, request, limits);
  return Object.freeze({
    algorithm: algorithm.slug,
    type,
    bins,
    features,
    documents,
    precision,
    counts,
    squares,
    segments,
    segmentDocuments: divideCeiling(divideCeiling(documents, segments), SEGMENT_ALIGN) * SEGMENT_ALIGN,
    passes: divideCeiling(bins, launch.binsPerPass),
    ...launch,
  });
}

/**
 * Where the features' blocks do not fill the device, each feature's documents are dealt out in segments, whose sums are
 * added (Xu et al., 4.2.2): as few as leave hardly a place empty in the last round of blocks. No segment is shorter than
 * its threads, nor than the bins that its sums take.
 */
function segmentsThatFill(
  { threads, sharedBytes, featuresPerBlock }: WeightedLaunch,
  { bins, features, documents }: WeightedRequest,
  { kind, unit, units }: DeviceLimits,
): number {
  if (kind === "cpu" && threads === 1) return 1;
  const perUnit =
    kind !== "gpu" || unit === undefined
      ? 1
      : Math.min(
          unit.blocks,
          Math.floor(unit.threads / threads),
          Math.floor(unit.sharedBytes / (sharedBytes + unit.reservedBytes)),
        );
  const places = units * Math.max(1, perUnit);
  const blocks = divideCeiling(features, featuresPerBlock);
  const most = Math.min(
    SEGMENT_ROUNDS * divideCeiling(places, blocks),
    divideCeiling(documents, Math.max(threads, bins, SEGMENT_ALIGN)),
  );
  const filled = (segments: number) =>
    (blocks * segments) / (divideCeiling(blocks * segments, places) * places);
  let best = 1;
  for (let segments = 2; segments <= most && filled(best) < SEGMENT_FILL; segments++) {
    if (filled(segments) > filled(best)) best = segments;
  }
  return best;
}

export const WEIGHTED_PARAMETER_RULES: Readonly<Record<keyof WeightedParameters, ParameterRule>> = {
  buffer: { least: 1, most: BUFFER_MAX },
  unroll: { least: 1, most: UNROLL_MAX },
  warps: { least: 1, most: WARP_THREADS },
};

/** The names of the parameters. */
export const WEIGHTED_PARAMETER_NAMES: readonly (keyof WeightedParameters)[] = Object.keys(
  WEIGHTED_PARAMETER_RULES,
) as (keyof WeightedParameters)[];

/** A plan in one line. */
export function describeWeightedPlan(of: WeightedPlan): string {
  const blocks = divideCeiling(of.features, of.featuresPerBlock) * of.segments;
  const parts = [
    `${of.features} features of ${of.bins} bins`,
    `${blocks} x ${of.threads} threads`,
    ...(of.segments > 1 ? [`${of.segments} segments`] : []),
    `${of.replicas} tables a feature`,
    of.counts ? `counters of ${of.counterBits} bits` : "no counters",
    `${of.precision === "fast" ? "float sums" : "sums"} of ${of.sumBits} bits${of.squares ? " and squares" : ""}`,
    `${of.sharedBytes} bytes a block`,
    ...(of.flushDocuments === null ? [] : [`flushed every ${of.flushDocuments} documents`]),
    ...(of.passes > 1 ? [`${of.passes} passes`] : []),
    ...WEIGHTED_PARAMETER_NAMES.filter((name) => of[name] !== undefined).map((name) => `${name} ${of[name]}`),
  ];
  return `${of.algorithm}: ${parts.join(", ")}`;
}
