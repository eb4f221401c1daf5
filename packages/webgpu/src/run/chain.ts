import { limits } from "@polybin/core/backend";
import { packed } from "../kernels/index.ts";
import type { Buffers, ReadyChunk } from "../memory/index.ts";
import { type Hardware, Timer } from "../platform/index.ts";
import type { Context } from "./context.ts";
import { bind, encode, type Step } from "./encode.ts";
import { type CountSteps, countsOf } from "./prepare-count.ts";
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
  readonly #context: Pick<Context, "hardware" | "buffers">;
  readonly #hardware: Hardware;
  readonly #buffers: Buffers;
  readonly #compiling: Promise<Program>;
  readonly #steps: CountSteps;
  /** Null if the call needs no times. */
  readonly #timer: Timer | null;
  #pixels = 0;
  #pending: Promise<void>[] = [];

  constructor(
    context: Pick<Context, "hardware" | "buffers">,
    steps: CountSteps,
    compiling: Promise<Program>,
    timed: boolean,
  ) {
    const { hardware, buffers } = context;
    this.#context = context;
    this.#hardware = hardware;
    this.#buffers = buffers;
    this.#timer = timed ? hardware.timer : null;
    this.#compiling = compiling;
    this.#steps = steps;
    this.totals = new Float64Array(steps.channels.length * countsOf(steps.plan));
  }

  /**
   * Counts a chunk. It first reads the counts that could overflow. The counts of the last chunk are read in the same
   * submission.
   */
  async count(chunk: ReadyChunk): Promise<void> {
    const program = await this.#compiling;
    if (this.#pixels + chunk.pixels > limits.U32_MAX || this.#timer?.full === true) await this.read();
    const before = this.#pixels;
    this.#pixels += chunk.pixels;
    const record = (encoder: GPUCommandEncoder) => this.#record(encoder, chunk, program, before === 0);
    if (chunk.last) {
      await this.#readAfter(record);
      return;
    }
    const { device } = this.#hardware;
    const { errors } = this.#hardware.scoped(() => {
      const encoder = device.createCommandEncoder();
      record(encoder);
      device.queue.submit([encoder.finish()]);
    });
    errors.catch(() => {});
    this.#pending.push(errors);
  }

  #record(encoder: GPUCommandEncoder, chunk: ReadyChunk, program: Program, isFirst: boolean): void {
    const counts = this.#buffers.counts.of(this.totals.length * WORD);
    const timer = this.#timer;
    if (isFirst) {
      encoder.clearBuffer(counts);
      timer?.start();
    }
    const pass = encoder.beginComputePass(timer?.pass() ?? {});
    encode(pass, bindChunk(this.#context, this.#steps, program, chunk, counts));
    pass.end();
  }

  /** Waits for the device and adds its counts to the totals. */
  async read(): Promise<void> {
    if (this.#pixels > 0) await this.#readAfter(() => {});
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
    this.#pixels = 0;
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
