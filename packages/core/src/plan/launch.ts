import type { ParameterValues } from "./parameters.ts";

/** The tables that blocks write for a merge kernel, which adds them to the counts without atomics. */
export interface Partials {
  /** Number of tables of the pass's cells. Each block writes the one with its number. */
  readonly tables: number;
  /** Threads per block of the merge kernel. */
  readonly threads: number;
  /** Blocks of the merge kernel. Each owns the next MERGE_CELLS cells. */
  readonly blocks: number;
}

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
  /** The blocks' partial tables. Absent: the blocks add to the counts with atomics. */
  readonly partials?: Partials;
  /** Passes over the samples. Absent: the number that the cells require. */
  readonly passes?: number;
  /** Further numbers for this algorithm's kernels only. */
  readonly own?: Readonly<Record<string, number>>;
}

/** The result of a plan rule. Parameters that it does not return stay as they were given. */
export type LaunchRule<P extends object = ParameterValues> = Omit<Launch<P>, "parameters"> & {
  readonly parameters?: P;
};
