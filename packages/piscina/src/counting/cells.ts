import { type CellWork, type JointKernel, jointKernelOf } from "../kernels/index.ts";
import { BLOCK_SAMPLES, type CellLayout } from "./cell-memory.ts";

/** Counts the pixels of a slot in a table. */
export class CellCounter {
  readonly #wasm: WebAssembly.Exports;
  readonly #kernel: JointKernel;
  readonly #work: CellWork;
  readonly #layout: CellLayout;
  readonly #slot: number;
  readonly #table: number;

  constructor(wasm: WebAssembly.Exports, work: CellWork, layout: CellLayout, slot: number, table: number) {
    this.#wasm = wasm;
    this.#kernel = jointKernelOf(work.algorithm)!;
    this.#work = work;
    this.#layout = layout;
    this.#slot = layout.slot + slot * layout.slotBytes;
    this.#table = layout.table + table * layout.tableBytes;
  }

  /** Counts the first pixels of the slot. @returns the number of masked ones, which are counted in the first cell */
  count(pixels: number): number {
    const { columns, mask } = this.#work;
    const { inputs, lookups, mask: maskAt, gathered, spread, cells, apart } = this.#layout;
    const slot = this.#slot;
    const maskBits = mask === "bits" ? 1 : 8;
    let masked = 0;
    for (let done = 0; done < pixels; done += BLOCK_SAMPLES) {
      masked += this.#kernel.count(this.#wasm, this.#work, {
        inputs: columns.map(({ bytes, interleaved }, k) => slot + inputs[k]! + done * bytes * interleaved),
        lookups,
        mask: slot + maskAt + (done * maskBits) / 8,
        gathered: slot + gathered,
        spread: slot + spread,
        cells: slot + cells,
        table: this.#table,
        apart,
        samples: Math.min(BLOCK_SAMPLES, pixels - done),
      });
    }
    return masked;
  }
}
