import type { ValueType } from "../input/index.ts";
import type { Precision } from "../weights/index.ts";
import type { GivenParameters, ParameterValues } from "./parameters.ts";

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
