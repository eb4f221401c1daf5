import type { ParameterValues } from "./parameters.ts";

/** An algorithm's part of a plan. */
export interface Launch<P extends object = ParameterValues> {
  /** The algorithm's parameters, as they are in effect. */
  readonly parameters: P;
  /** Threads per block. */
  readonly threads: number;
  /** Number of blocks. */
  readonly blocks: number;
  /** Tables per block. */
  readonly replicas: number;
  /** Width in bits of the counters that samples increment. */
  readonly counterBits: 8 | 16 | 32;
  /** Cells that one pass over the samples counts. */
  readonly cellsPerPass: number;
  /** Bytes of shared memory per block. */
  readonly sharedBytes: number;
  /** Words of four samples that a thread counts before its counters must be summed; null: no limit. */
  readonly wordsPerThread: number | null;
  /** Passes over the samples. Absent: the number that the cells require. */
  readonly passes?: number;
  /** Further numbers for this algorithm's kernels only. */
  readonly own?: Readonly<Record<string, number>>;
}
