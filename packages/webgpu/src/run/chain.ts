import { limits } from "@polybin/core/backend";
import { packed } from "../kernels/index.ts";
import type { Buffers, ReadyChunk } from "../memory/index.ts";
import { type Hardware, Timer } from "../platform/index.ts";
import type { Context } from "./context.ts";
import { bind, type Step } from "./encode.ts";
import type { CountSteps } from "./prepare-count.ts";
import type { Program } from "./program.ts";
import { readBack } from "./readback.ts";

const WORD: number = Uint32Array.BYTES_PER_ELEMENT;

/**
 * Dispatches that count into the same 32-bit counts. Before a count could pass 2^32, the host reads them and adds them
 * to exact totals.
 */
export class Chain {
  readonly totals: Float64Array;
  kernelMs = 0;
  readonly #hardware: Hardware;
  readonly #buffers: Buffers;
  /** Null if the call needs no times. */
  readonly #timer: Timer | null;
  #samples = 0;
  #pending: Promise<void>[] = [];

  /** @param words the number of counts */
  constructor({ hardware, buffers }: Pick<Context, "hardware" | "buffers">, words: number, timed: boolean) {
    this.#hardware = hardware;
    this.#buffers = buffers;
    this.#timer = timed ? hardware.timer : null;
    this.totals = new Float64Array(words);
  }

  /**
   * Counts samples. It first reads the counts that could overflow. The counts of the last samples are read in the same
   * submission.
   * @param record encodes the dispatches that add to the counts
   */
  async count(
    samples: number,
    last: boolean,
    record: (pass: GPUComputePassEncoder, counts: GPUBuffer) => void,
  ): Promise<void> {
    if (this.#samples + samples > limits.U32_MAX || this.#timer?.full === true) await this.read();
    const isFirst = this.#samples === 0;
    this.#samples += samples;
    const recordAll = (encoder: GPUCommandEncoder) => this.#record(encoder, record, isFirst);
    if (last) {
      await this.#readAfter(recordAll);
      return;
    }
    const { device } = this.#hardware;
    const { errors } = this.#hardware.scoped(() => {
      const encoder = device.createCommandEncoder();
      recordAll(encoder);
      device.queue.submit([encoder.finish()]);
    });
    errors.catch(() => {});
    this.#pending.push(errors);
  }

  #record(
    encoder: GPUCommandEncoder,
    record: (pass: GPUComputePassEncoder, counts: GPUBuffer) => void,
    isFirst: boolean,
  ): void {
    const counts = this.#buffers.counts.of(this.totals.length * WORD);
    const timer = this.#timer;
    if (isFirst) {
      encoder.clearBuffer(counts);
      timer?.start();
    }
    const pass = encoder.beginComputePass(timer?.pass() ?? {});
    record(pass, counts);
    pass.end();
  }

  /** Waits for the device and adds its counts to the totals. */
  async read(): Promise<void> {
    if (this.#samples > 0) await this.#readAfter(() => {});
  }

  async #readAfter(record: (encoder: GPUCommandEncoder) => void): Promise<void> {
    const timer = this.#timer;
    const bytes = this.totals.length * WORD;
    // Timestamps have eight bytes.
    const stampsAt = limits.divideCeiling(bytes, limits.VECTOR_BYTES) * limits.VECTOR_BYTES;
    const reading = readBack(this.#hardware, (encoder) => {
      record(encoder);
      const size = stampsAt + (timer?.bytes ?? 0);
      const to = this.#buffers.readback.of(size);
      encoder.copyBufferToBuffer(this.#buffers.counts.of(bytes), 0, to, 0, bytes);
      timer?.resolve(encoder, to, stampsAt);
      return { to, bytes: size };
    });
    const pending = this.#pending;
    this.#pending = [];
    this.#samples = 0;
    const [read] = await Promise.all([reading, ...pending]);
    const counts = new Uint32Array(read, 0, this.totals.length);
    for (let i = 0; i < counts.length; i++) this.totals[i]! += counts[i]!;
    if (timer !== null) this.kernelMs += Timer.milliseconds(new BigUint64Array(read, stampsAt));
  }
}

/** Binds the dispatches of a chunk to the buffers that calls share in turn, and to counts. */
export function bindChunk(
  { hardware, buffers }: Pick<Context, "hardware" | "buffers">,
  { lookup, histogramsBytes }: CountSteps,
  program: Program,
  chunk: ReadyChunk,
  counts: GPUBuffer,
): Step[] {
  const { device, pipelines } = hardware;
  const none = { buffer: buffers.nothingWritten };
  const scratch = (name: "codes" | "histograms", bytes: number) =>
    bytes === 0 ? none : { buffer: buffers[name].of(bytes, bytes) };
  const dispatches = [...chunk.before, ...program.dispatches(chunk)];
  const params = packed(dispatches);
  const bound = {
    pipelines,
    nothing: buffers.nothingRead,
    lookup: lookup === null ? buffers.nothingRead : buffers.lookups.of(lookup.key, lookup.words),
    counts: { buffer: counts },
    scratch: {
      none,
      codes: scratch("codes", program.codesBytes(chunk.pixels)),
      histograms: scratch("histograms", histogramsBytes),
      dense: chunk.dense === null ? none : { buffer: chunk.dense },
      into: none,
    },
    params: buffers.params.of(params.byteLength),
  };
  device.queue.writeBuffer(bound.params, 0, params);
  return bind(device, dispatches, bound);
}
