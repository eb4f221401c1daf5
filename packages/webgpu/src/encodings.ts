import { type EncodeJob, limits } from "@polybin/core/backend";
import { bindable, checkBuffer, checkUnmapped } from "./buffer-samples.ts";
import type { WebgpuLimits } from "./capabilities.ts";
import { bind, encode, paramsOf } from "./encode.ts";
import { ANOTHERS, deviceSamples, type Piece, wrong } from "./external.ts";
import { codesOf, constantCounts, foldOf } from "./fold.ts";
import type { Hardware } from "./hardware.ts";
import { JobBuffers } from "./job-buffers.ts";
import { PARAMS_STRIDE } from "./params.ts";
import { type Launch, programFor } from "./program.ts";
import { chunksOf, shapeOf } from "./source.ts";

/** Counting as commands in a user's own encoder: brought together where need be, counted, folded into the user's buffer. */
export class Encodings {
  readonly #hardware: Hardware;
  readonly #limits: WebgpuLimits;
  readonly #buffers: JobBuffers;

  constructor(hardware: Hardware, of: WebgpuLimits) {
    this.#hardware = hardware;
    this.#limits = of;
    this.#buffers = new JobBuffers(hardware, of);
  }

  /** Keeps nothing any longer. Commands that were encoded go on living. */
  close(): void {
    this.#buffers.forget();
  }

  /**
   * What may wait comes first; then all commands are recorded at once.
   * @throws ERR_INPUT for an encoder, a buffer or a texture that the device does not take.
   */
  async encode(job: EncodeJob, signal: AbortSignal | undefined): Promise<void> {
    const { encoder, check } = job;
    const { device, pipelines } = this.#hardware;
    checkEncoder(encoder);
    const into = intoOf(job, this.#limits);
    const { launches, codesBytes, histogramsBytes, denseBytes, lookup } = await this.#program(
      job,
      into.first,
    );
    const params = paramsOf(launches);
    const isConstant = job.lowering.kind === "constant";
    const countsBytes = codesOf(job) * job.channels.length * limits.WORD_BYTES;
    const buffers = await this.#buffers.of({
      lowering: job.lowering,
      raw: job.plan.raw,
      lookup,
      params,
      counts: isConstant ? constantCounts(job) : countsBytes,
      codesBytes,
      histogramsBytes,
      denseBytes,
    });
    signal?.throwIfAborted();
    this.#hardware.check();
    const { none, codes, histograms, dense } = buffers;
    const scratch = { none, codes, histograms, dense, into: into.binding };
    const bound = () => bind(device, launches, { pipelines, ...buffers, scratch }, PARAMS_STRIDE);
    const steps = check ? await this.#hardware.accepted(ANOTHERS, bound) : bound();
    signal?.throwIfAborted();
    const record = () => {
      if (!isConstant) encoder.clearBuffer(buffers.counts, 0, countsBytes);
      const pass = encoder.beginComputePass({ label: "polybin" });
      encode(pass, steps);
      pass.end();
      return pass;
    };
    if (check) await this.#verdict(await this.#hardware.accepted(CLOSED, record));
    else record();
  }

  /**
   * Did the encoder take a pass? Dawn tells that only when the encoder is finished. But to end a pass again is an error
   * everywhere, it is told at once to the encoder's own device, and Dawn then names a pass that it did not take invalid.
   */
  async #verdict(pass: GPUComputePassEncoder): Promise<void> {
    const error = await this.#hardware.provoked(() => pass.end());
    if (error === null) throw wrong("expected an encoder of the engine's own device");
    if (error.message.startsWith("[Invalid")) throw wrong(CLOSED, error);
  }

  /** The dispatches of a job, and the room that they need. */
  async #program(job: EncodeJob, first: number) {
    const { input, plan, lowering, channels } = job;
    const fold = await foldOf(this.#hardware, job, this.#limits, first);
    if (lowering.kind === "constant") {
      const none = { codesBytes: 0, histogramsBytes: 0, denseBytes: 0 };
      return { launches: [fold], lookup: () => Uint32Array.of(lowering.code), ...none };
    }
    const { interleaved } = shapeOf(input);
    const program = await this.#hardware.watched(
      programFor(this.#hardware, { plan, lowering, channels, interleaved }, this.#limits),
    );
    const pieces = await this.#pieces(job);
    const most = (of: (piece: Piece) => number) => Math.max(0, ...pieces.map(of));
    const launches: readonly Launch[] = [
      ...pieces.flatMap((piece) => [...piece.before, ...program.launches(piece)]),
      fold,
    ];
    const table = plan.raw && lowering.kind === "table" ? Uint32Array.from(lowering.table) : null;
    return {
      launches,
      lookup: table === null ? program.lowering.lookup : () => table,
      codesBytes: most(({ pixels }) => program.codesBytes(pixels)),
      histogramsBytes: program.histogramsBytes,
      denseBytes: most((piece) => piece.denseBytes),
    };
  }

  async #pieces({ input }: EncodeJob): Promise<readonly Piece[]> {
    if (input.kind === "resident") {
      return chunksOf(input.resident).map((chunk) => ({ ...chunk, before: [], denseBytes: 0 }));
    }
    const samples = deviceSamples(input.external);
    return this.#hardware.watched(samples.pieces(this.#hardware.pipelines, this.#limits));
  }
}

const CLOSED = "expected an encoder that takes commands: not finished, and no pass of it open";

function checkEncoder(encoder: object): asserts encoder is GPUCommandEncoder {
  const { beginComputePass, clearBuffer } = encoder as Partial<GPUCommandEncoder>;
  if (typeof beginComputePass !== "function" || typeof clearBuffer !== "function") {
    throw wrong("expected a GPUCommandEncoder for encoder");
  }
}

/** Where the counts go, bound from a place that may be bound; `first`: the first word in the binding. */
function intoOf(
  job: EncodeJob,
  { alignment }: WebgpuLimits,
): { readonly binding: GPUBufferBinding; readonly first: number } {
  const { into: buffer, offset, channels, axis } = job;
  checkBuffer(buffer, "into");
  checkUnmapped(buffer, "into");
  const bytes = channels.length * (axis.bins + limits.FLOW_ROWS) * limits.WORD_BYTES;
  if (offset + bytes > bindable(buffer)) {
    throw wrong(
      `expected ${bytes} bytes from byte ${offset} of into on, for ${channels.length} channels of ${axis.bins} bins and ` +
        `${limits.FLOW_ROWS} flow counts, but it has ${buffer.size}`,
    );
  }
  const left = offset % alignment;
  return {
    binding: { buffer, offset: offset - left, size: left + bytes },
    first: left / limits.WORD_BYTES,
  };
}
