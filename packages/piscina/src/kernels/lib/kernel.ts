import type { Plan } from "@polybin/core";
import type { Algorithm, Lowering } from "@polybin/core/backend";
import type { Wasm } from "../../platform/index.ts";

/** Cell numbers in a worker's WebAssembly memory. */
export interface Codes {
  readonly address: number;
  readonly count: number;
  /** Bytes a code: 1 where there are at most 256 cells, else 2. */
  readonly bytes: 1 | 2;
}

/**
 * How a worker launches one algorithm. Every code is below `plan.cells`; `finish` leaves the sums in COUNTS.
 * @typeParam W what its own kernel.as.ts exports
 */
// biome-ignore lint/suspicious/noExplicitAny: a list of kernels holds those of any exports; each knows its own
export interface Kernel<W = any> {
  readonly algorithm: Algorithm;
  /** Workers that share a table through atomics; absent: each has its own. */
  sharing?(plan: Plan, workers: number): number;
  count(wasm: Wasm & W, codes: Codes, plan: Plan, shared: Int32Array | null): void;
  finish(wasm: Wasm & W, codeBytes: 1 | 2, plan: Plan): void;
  /** How it counts samples wider than a byte without codes in between; absent: by codes. */
  readonly fused?: FusedKernel<W>;
  /** How it counts segments, each into a row of 32-bit counters; absent: it counts none. */
  readonly rows?: RowsKernel<W>;
}

/**
 * Samples that are counted where they lie: finding a cell and counting it are one loop.
 * @typeParam S what it knows of a lowering: an object that can be sent to a worker
 */
// biome-ignore lint/suspicious/noExplicitAny: as of Kernel
export interface FusedKernel<W = any, S extends object = any> {
  /** Whatever can be found out beforehand, of a lowering that is not constant. */
  setup(lowering: Lowering): S;
  /** Brings a set-up into memory. */
  load(wasm: Wasm & W, setup: S): void;
  /** Begins a job of the set-up that was loaded last. */
  begin(wasm: Wasm & W, setup: S): void;
  /** Brings every so-many-th sample together. @returns where they begin */
  gather(
    wasm: Wasm & W,
    address: number,
    samples: number,
    of: { readonly bytes: number; readonly interleaved: number },
  ): number;
  /** Counts samples from an address on. */
  count(wasm: Wasm & W, setup: S, address: number, samples: number): void;
  /** Clears what an unfinished job left. */
  clear(wasm: Wasm & W): void;
  /** Ends the job: counts of NaN, underflow, the bins and overflow come to SUMS. */
  finish(wasm: Wasm & W): void;
}

/** Rows lie one behind the other from COUNTS on. A row that is `sorted` gets its bins from the values of bytes at its end. */
// biome-ignore lint/suspicious/noExplicitAny: as of Kernel
export interface RowsKernel<W = any> {
  /** Rows that may be counted before they are copied out. */
  most(plan: Plan): number;
  /** Adds codes to a row. */
  add(wasm: Wasm & W, codes: Codes, plan: Plan, row: number, isSorted: boolean): void;
  /** Ends a row. Values of bytes are sorted by the codes at LOWERING; flow goes to FLOW. @returns the sum of its bins */
  end(wasm: Wasm & W, plan: Plan, row: number, isSorted: boolean): number;
  /** Clears rows that were copied out. */
  clear(wasm: Wasm & W, row: number, bytes: number): void;
}

/** Adds every code to a table that other workers add to as well. */
export function countAtomically({ memory }: Wasm, { address, count, bytes }: Codes, table: Int32Array): void {
  const codes =
    bytes === 1
      ? new Uint8Array(memory.buffer, address, count)
      : new Uint16Array(memory.buffer, address, count);
  for (let i = 0; i < count; i++) Atomics.add(table, codes[i]!, 1);
}
