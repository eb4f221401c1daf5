import { limits } from "@polybin/core/backend";
import { packed } from "../kernels/index.ts";
import type { Buffers, ReadyChunk } from "../memory/index.ts";
import { type Hardware, Timer } from "../platform/index.ts";
import { bind, encode } from "./encode.ts";
import { type CountSteps, countsOf } from "./prepare-count.ts";
import type { Program } from "./program.ts";
import { readBack } from "./readback.ts";

const WORD: number = Uint32Array.BYTES_PER_ELEMENT;

/**
 * Dispatches that count into the same 32-bit counts, until these are read and added to exact ones: before a count
 * could pass 2^32.
 */
export class Chain {
  readonly totals: Float64Array;
  kernelMs = 0;
  readonly #hardware: Hardware;
  readonly #buffers: Buffers;
  readonly #compiling: Promise<Program>;
  readonly #steps: CountSteps;
  #pixels = 0;
  #pending: Promise<void>[] = [];

  constructor(hardware: Hardware, buffers: Buffers, steps: CountSteps, compiling: Promise<Program>) {
    this.#hardware = hardware;
    this.#buffers = buffers;
    this.#compiling = compiling;
    this.#steps = steps;
    this.totals = new Float64Array(steps.channels.length * countsOf(steps.plan));
  }

  /** Counts a chunk; before it, what can no longer wait is read. */
  async count(chunk: ReadyChunk): Promise<void> {
    const program = await this.#compiling;
    const { timer } = this.#hardware;
    if (this.#pixels + chunk.pixels > limits.U32_MAX || timer?.full === true) await this.read();
    const { errors } = this.#hardware.scoped(() => this.#submit(chunk, program));
    errors.catch(() => {});
    this.#pending.push(errors);
    this.#pixels += chunk.pixels;
  }

  #submit(chunk: ReadyChunk, program: Program): void {
    const { device, timer, pipelines } = this.#hardware;
    const buffers = this.#buffers;
    const { lookup, histogramsBytes } = this.#steps;
    const counts = buffers.counts.of(this.totals.length * WORD);
    const dispatches = [...chunk.before, ...program.dispatches(chunk)];
    const params = packed(dispatches);
    const none = { buffer: buffers.nothingWritten };
    const bound = {
      pipelines,
      nothing: buffers.nothingRead,
      lookup: lookup === null ? buffers.nothingRead : buffers.lookups.of(lookup.key, lookup.words),
      counts,
      scratch: {
        none,
        codes: { buffer: this.#buffer("codes", program.codesBytes(chunk.pixels)) },
        histograms: { buffer: this.#buffer("histograms", histogramsBytes) },
        dense: chunk.dense === null ? none : { buffer: chunk.dense },
        into: none,
      },
      params: buffers.params.of(params.byteLength),
    };
    device.queue.writeBuffer(bound.params, 0, params);
    const encoder = device.createCommandEncoder();
    if (this.#pixels === 0) {
      encoder.clearBuffer(counts);
      timer?.start();
    }
    const pass = encoder.beginComputePass(timer?.pass() ?? {});
    encode(pass, bind(device, dispatches, bound));
    pass.end();
    device.queue.submit([encoder.finish()]);
  }

  #buffer(name: "codes" | "histograms", bytes: number): GPUBuffer {
    return bytes === 0 ? this.#buffers.nothingWritten : this.#buffers[name].of(bytes, bytes);
  }

  /** Waits for the device and adds its counts to the totals. */
  async read(): Promise<void> {
    if (this.#pixels === 0) return;
    const { timer } = this.#hardware;
    const bytes = this.totals.length * WORD;
    // Timestamps have eight bytes.
    const stampsAt = limits.divideCeiling(bytes, limits.VECTOR_BYTES) * limits.VECTOR_BYTES;
    const size = stampsAt + (timer?.bytes ?? 0);
    const reading = readBack(this.#hardware, (encoder) => {
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
