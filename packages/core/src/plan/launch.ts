import type { ParameterValues } from "./parameters.ts";

/** An algorithm's own share of a plan. */
export interface Launch<P extends object = ParameterValues> {
  /** The algorithm's own, in effect. */
  readonly parameters: P;
  /** Threads a block. */
  readonly threads: number;
  /** Blocks of the launch. */
  readonly blocks: number;
  /** Tables a block keeps. */
  readonly replicas: number;
  /** Bits of the counters that are incremented first. */
  readonly counterBits: 8 | 16 | 32;
  /** Cells that one pass over the samples counts. */
  readonly cellsPerPass: number;
  /** Bytes of shared memory a block. */
  readonly sharedBytes: number;
  /** Words of four samples that a thread bins before its counters must be summed; null: no bound. */
  readonly wordsPerThread: number | null;
  /** Passes over the samples; absent: as many as the cells take. */
  readonly passes?: number;
  /** Further numbers that only this algorithm's kernels read. */
  readonly own?: Readonly<Record<string, number>>;
}
