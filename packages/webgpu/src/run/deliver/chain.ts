import { limits } from "@polybin/core/backend";
import type { Timer } from "../../platform/index.ts";
import type { Context } from "../context.ts";
import { type Command, recordPass } from "../dispatch/commands.ts";
import { deliver, submitted, total } from "./deliver.ts";

/**
 * Dispatches that count into the same 32-bit counts. Before a count could pass 2^32, the host reads them and adds them
 * to exact totals.
 */
export class Chain {
  readonly totals: Float64Array;
  kernelMs = 0;
  readonly #context: Context;
  /** Null if the call needs no times. */
  readonly #timer: Timer | null;
  #samples = 0;
  #pending: Promise<void>[] = [];

  /** @param words the number of counts */
  constructor(context: Context, words: number, timed: boolean | undefined) {
    this.#context = context;
    this.#timer = timed === true ? context.hardware.timer : null;
    this.totals = new Float64Array(words);
  }

  /**
   * Counts samples. It first reads the counts that could overflow. The counts of the last samples are read in the same
   * submission.
   * @param commands returns the commands that add to the counts
   */
  async count(samples: number, last: boolean, commands: (counts: GPUBuffer) => Command[]): Promise<void> {
    if (this.#samples + samples > limits.U32_MAX || this.#timer?.full === true) await this.read();
    const isFirst = this.#samples === 0;
    this.#samples += samples;
    const record = (encoder: GPUCommandEncoder) => {
      const counts = this.#counts();
      if (isFirst) {
        encoder.clearBuffer(counts);
        this.#timer?.start();
      }
      recordPass(this.#context, encoder, commands(counts), this.#timer?.pass());
    };
    if (last) {
      await this.#read(record);
      return;
    }
    const accepted = submitted(this.#context, record);
    accepted.catch(() => {});
    this.#pending.push(accepted);
  }

  #counts(): GPUBuffer {
    return this.#context.buffers.counts.of(this.totals.length * limits.WORD_BYTES);
  }

  /** Waits for the device and adds its counts to the totals. */
  async read(): Promise<void> {
    if (this.#samples > 0) await this.#read(() => {});
  }

  async #read(record: (encoder: GPUCommandEncoder) => void): Promise<void> {
    const reading = deliver(
      this.#context,
      this.#timer,
      (encoder) => {
        record(encoder);
        return { buffer: this.#counts(), bytes: this.totals.length * limits.WORD_BYTES };
      },
      (counts, ms) => {
        for (let i = 0; i < counts.length; i++) this.totals[i]! += counts[i]!;
        this.kernelMs += total(ms);
      },
    );
    const pending = this.#pending;
    this.#pending = [];
    this.#samples = 0;
    await Promise.all([reading, ...pending]);
  }
}
