import type { ChannelsPlan } from "@polybin/core";
import { limits } from "@polybin/core/backend";
import type { Codes, RowsKernel } from "../kernels/index.ts";
import { copyTo, type Wasm } from "../platform/index.ts";
import type { Miscount, SegmentsTask, SharedRows } from "./task.ts";

/** Copies rows of counts from a worker's memory (from COUNTS on) to a job's result. */
export class RowWriter {
  readonly #wasm: Wasm;
  readonly #plan: ChannelsPlan;
  readonly #kernel: RowsKernel;
  readonly #result: SharedRows;
  readonly #most: number;
  readonly #rowBytes: number;
  /** Whether the 256 byte values are counted, and sorted into bins at a row's end. */
  readonly #isSorted: boolean;
  readonly #flow: Uint32Array;
  /** The segment of the row at COUNTS, and the number of finished rows from there on that wait to be copied. */
  #first = 0;
  #ended = 0;

  constructor(wasm: Wasm, { work: { plan, lowering }, rows }: SegmentsTask, kernel: RowsKernel) {
    this.#wasm = wasm;
    this.#plan = plan;
    this.#kernel = kernel;
    this.#result = rows;
    this.#most = kernel.most(plan);
    this.#rowBytes = plan.bins * limits.WORD_BYTES;
    this.#flow = new Uint32Array(wasm.memory.buffer, wasm.flow, 3);
    const binOf = plan.raw && lowering?.kind === "table" ? lowering.table : null;
    this.#isSorted = binOf?.some((bin, value) => bin !== value) ?? false;
    if (!this.#isSorted) return;
    wasm.loaded = 0;
    copyTo(wasm.memory, wasm.lowering, binOf!);
  }

  /** Adds codes to the row of a segment: the current row, or the one after the finished rows. */
  add(segment: number, codes: Codes): void {
    if (segment !== this.#first + this.#ended || this.#ended === this.#most) {
      this.flush();
      this.#first = segment;
    }
    this.#kernel.add(this.#wasm, codes, this.#plan, this.#row, this.#isSorted);
  }

  /**
   * Ends the row of a whole segment or of a part of one.
   * @returns a miscount if the row does not have as many samples as pixels
   */
  end(segment: number, pixels: number, isWhole: boolean): Miscount | null {
    const flow = this.#flow;
    const sum = this.#kernel.end(this.#wasm, this.#plan, this.#row, this.#isSorted);
    const seen = sum + flow[0]! + flow[1]! + flow[2]!;
    if (seen !== sum) {
      if (this.#result.flow !== null) addTo(this.#result.flow, segment * flow.length, flow);
      flow.fill(0);
    }
    if (isWhole) this.#ended++;
    else {
      const row = this.#row;
      this.flush();
      addTo(this.#result.counts, segment * this.#plan.bins, this.#view(row, 1));
      this.#kernel.clear(this.#wasm, row, this.#rowBytes);
    }
    return seen === pixels ? null : { segment, seen, pixels };
  }

  /** Writes the finished rows. */
  flush(): void {
    const ended = this.#ended;
    if (ended === 0) return;
    const { counts } = this.#result;
    const { memory, counts: address } = this.#wasm;
    const bytes = ended * this.#rowBytes;
    if (counts instanceof BigUint64Array)
      addTo(counts, this.#first * this.#plan.bins, this.#view(address, ended));
    else {
      const to = Buffer.from(counts.buffer, counts.byteOffset, counts.byteLength);
      Buffer.from(memory.buffer, address, bytes).copy(to, this.#first * this.#rowBytes);
    }
    this.#kernel.clear(this.#wasm, address, bytes);
    this.#first += ended;
    this.#ended = 0;
  }

  /** The address of the current row. */
  get #row(): number {
    return this.#wasm.counts + this.#ended * this.#rowBytes;
  }

  #view(address: number, rows: number): Uint32Array {
    return new Uint32Array(this.#wasm.memory.buffer, address, rows * this.#plan.bins);
  }
}

/** Adds numbers to a part of a result that other workers may also add to. */
function addTo(to: Uint32Array | BigUint64Array, at: number, from: Uint32Array): void {
  for (let i = 0; i < from.length; i++) {
    const amount = from[i]!;
    if (amount === 0) continue;
    if (to instanceof BigUint64Array) Atomics.add(to, at + i, BigInt(amount));
    else Atomics.add(to, at + i, amount);
  }
}
