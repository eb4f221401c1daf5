import {
  type DeviceLimits,
  divideCeiling,
  SEGMENT_ALIGN,
  SEGMENT_FILL,
  SEGMENT_ROUNDS,
} from "../base/index.ts";
import type { ValueType } from "../input/index.ts";
import type { Precision } from "../weights/index.ts";
import { describeParameters, type GivenParameters, type ParameterValues } from "./parameters.ts";
import type { WeightedAlgorithm, WeightedLaunchRule } from "./weighted-algorithm.ts";

/** What is to be added up, as far as a plan depends on it. */
export interface WeightedRequest {
  /** The algorithm's own; those that are not given have their defaults. */
  readonly parameters?: GivenParameters | undefined;
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
export interface WeightedLaunch<P extends object = ParameterValues> {
  /** The algorithm's own, in effect. */
  readonly parameters: P;
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
  readonly algorithm: string;
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

/**
 * The plan of a method on a device, or the sentence that says why there is none.
 * @param parameters the method's own, checked
 */
export function weightedPlanBy(
  algorithm: WeightedAlgorithm,
  parameters: ParameterValues,
  request: WeightedRequest,
  limits: DeviceLimits,
): WeightedPlan | string {
  const { type, bins, features, documents, precision, counts, squares } = request;
  const launch = algorithm.launch(
    { parameters, type, bins, features, documents, precision, counts, squares },
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
    parameters,
    ...launch,
  });
}

/**
 * Where the features' blocks do not fill the device, each feature's documents are dealt out in segments, whose sums are
 * added (Xu et al., 4.2.2): as few as leave hardly a place empty in the last round of blocks. No segment is shorter than
 * its threads, nor than the bins that its sums take.
 */
function segmentsThatFill(
  { threads, sharedBytes, featuresPerBlock }: WeightedLaunchRule,
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
    ...describeParameters(of.parameters),
  ];
  return `${of.algorithm}: ${parts.join(", ")}`;
}
