import type { Plan } from "@polybin/core";
import type { Algorithm } from "@polybin/core/backend";
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
  /** How it counts segments, each into a row of 32-bit counters; absent: it counts none. */
  readonly rows?: RowsKernel<W>;
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
