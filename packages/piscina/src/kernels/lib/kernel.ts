import type { ChannelsPlan } from "@polybin/core";
import type { Algorithm, Lowering } from "@polybin/core/backend";
import type { Wasm } from "../../platform/index.ts";

/** Cell numbers in a worker's WebAssembly memory. */
export interface Codes {
  readonly address: number;
  readonly count: number;
  /** Bytes per code: 1 for at most 256 cells, otherwise 2. */
  readonly bytes: 1 | 2;
}

/**
 * How a worker runs one algorithm. Every code is below `plan.cells`. `finish` writes the sums to COUNTS.
 * @typeParam W the exports of its own kernel.as.ts
 */
// biome-ignore lint/suspicious/noExplicitAny: a list of kernels holds those of any exports; each knows its own
export interface Kernel<W = any> {
  readonly algorithm: Algorithm;
  /** Returns the number of workers that share a table through atomics. Default: each worker has its own. */
  sharing?(plan: ChannelsPlan, workers: number): number;
  count(wasm: Wasm & W, codes: Codes, plan: ChannelsPlan, shared: Int32Array | null): void;
  finish(wasm: Wasm & W, codeBytes: 1 | 2, plan: ChannelsPlan): void;
  /** How it counts samples wider than a byte without codes. Default: it counts codes. */
  readonly fused?: FusedKernel<W>;
  /** How it counts segments, each into a row of 32-bit counters. Default: it cannot. */
  readonly rows?: RowsKernel<W>;
}

/**
 * Counts samples in place: one loop finds a cell and counts it.
 * @typeParam S what it needs to know about a lowering: an object that can be sent to a worker
 */
// biome-ignore lint/suspicious/noExplicitAny: for the same reason as Kernel
export interface FusedKernel<W = any, S extends object = any> {
  /** Computes everything that can be known beforehand for a lowering. The lowering is not constant. */
  setup(lowering: Lowering): S;
  /** Copies a set-up to the memory. */
  load(wasm: Wasm & W, setup: S): void;
  /** Begins a job with the set-up that was loaded last. */
  begin(wasm: Wasm & W, setup: S): void;
  /** Gathers one sample of every `interleaved` samples. @returns the address of the first */
  gather(
    wasm: Wasm & W,
    address: number,
    samples: number,
    of: { readonly bytes: number; readonly interleaved: number },
  ): number;
  /** Counts samples from an address on. */
  count(wasm: Wasm & W, setup: S, address: number, samples: number): void;
  /** Clears the counts of an unfinished job. */
  clear(wasm: Wasm & W): void;
  /** Ends the job: the counts of NaN, underflow, the bins and overflow are in SUMS. */
  finish(wasm: Wasm & W): void;
}

/**
 * Rows follow each other from COUNTS on. A row that is `sorted` gets its bins at its end, from the counts of the 256
 * byte values.
 */
// biome-ignore lint/suspicious/noExplicitAny: for the same reason as Kernel
export interface RowsKernel<W = any> {
  /** Returns the rows that may be counted before they are copied out. */
  most(plan: ChannelsPlan): number;
  /** Adds codes to a row. */
  add(wasm: Wasm & W, codes: Codes, plan: ChannelsPlan, row: number, isSorted: boolean): void;
  /**
   * Ends a row. The codes at LOWERING sort byte values into bins; flow goes to FLOW. @returns the sum of the row's bins
   */
  end(wasm: Wasm & W, plan: ChannelsPlan, row: number, isSorted: boolean): number;
  /** Clears rows that were copied out. */
  clear(wasm: Wasm & W, row: number, bytes: number): void;
}

/** Adds every code to a table that other workers also add to. */
export function countAtomically({ memory }: Wasm, { address, count, bytes }: Codes, table: Int32Array): void {
  const codes =
    bytes === 1
      ? new Uint8Array(memory.buffer, address, count)
      : new Uint16Array(memory.buffer, address, count);
  for (let i = 0; i < count; i++) Atomics.add(table, codes[i]!, 1);
}
