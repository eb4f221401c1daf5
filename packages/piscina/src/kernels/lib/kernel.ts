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
}

/** Adds every code to a table that other workers add to as well. */
export function countAtomically({ memory }: Wasm, { address, count, bytes }: Codes, table: Int32Array): void {
  const codes =
    bytes === 1
      ? new Uint8Array(memory.buffer, address, count)
      : new Uint16Array(memory.buffer, address, count);
  for (let i = 0; i < count; i++) Atomics.add(table, codes[i]!, 1);
}
