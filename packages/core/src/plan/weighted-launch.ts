import type { ValueType } from "../input/index.ts";
import type { Precision } from "../weights/index.ts";
import type { GivenParameters, ParameterValues } from "./parameters.ts";

/** The properties of weighted sums that a plan depends on. */
export interface WeightedRequest {
  /** The algorithm's parameters. Missing ones have their defaults. */
  readonly parameters?: GivenParameters | undefined;
  readonly type: ValueType;
  /** Number of bins of each feature. */
  readonly bins: number;
  readonly features: number;
  /** Documents of one feature. */
  readonly documents: number;
  readonly precision: Precision;
  /** Whether documents are counted too. False if their counts are known or not requested. */
  readonly counts: boolean;
  /** Whether the squares of the weights are added up too. */
  readonly squares: boolean;
}

/** An algorithm's part of a plan. */
export interface WeightedLaunch<P extends object = ParameterValues> {
  /** The algorithm's parameters, as they are in effect. */
  readonly parameters: P;
  /** Threads per block. */
  readonly threads: number;
  /** Tables of one feature per block. Thread t adds to table t mod replicas. */
  readonly replicas: number;
  /** Features that a block adds up in parallel. */
  readonly featuresPerBlock: number;
  /** Width of a counter in bits. */
  readonly counterBits: 14 | 16 | 32;
  /**
   * Width of a sum in bits. 64 bits are in two words, and the upper word is written only when the lower one wraps. 50
   * bits are in two words as well, with 18 of the bits in the same word as a 14-bit counter (COUNT_BITS).
   */
  readonly sumBits: 32 | 50 | 64;
  /** Bins that one pass over the documents adds up. */
  readonly binsPerPass: number;
  /** Bytes of shared memory per block. */
  readonly sharedBytes: number;
  /**
   * Documents that a block adds before it flushes its tables into 64-bit (or double) totals, so that none of its sums
   * and counters overflows; null: they cannot overflow.
   */
  readonly flushDocuments: number | null;
  /**
   * Size in bytes of the sub-histogram that a block stores for a second kernel, which merges them. 0: the block adds its
   * tables to the totals itself.
   */
  readonly subHistogramBytes: number;
}

/**
 * Everything that a kernel needs to know about features with the same number of bins: frozen, comparable, printable.
 */
export interface SumsPlan extends WeightedLaunch {
  readonly kind: "sums";
  readonly algorithm: string;
  readonly type: ValueType;
  readonly bins: number;
  readonly features: number;
  readonly documents: number;
  readonly precision: Precision;
  /** Whether cells have a counter. */
  readonly counts: boolean;
  readonly squares: boolean;
  /**
   * Parts that the documents are split into. A block handles one part of one feature, or of `featuresPerBlock`
   * features.
   */
  readonly segments: number;
  /** Documents per segment, except for the last one: a multiple of SEGMENT_ALIGN. */
  readonly segmentDocuments: number;
  /** Passes over the documents. Each adds up the next `binsPerPass` bins. */
  readonly passes: number;
}
