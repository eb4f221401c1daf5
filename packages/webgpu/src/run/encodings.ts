import { type CountJob, type EncodeTarget, limits } from "@polybin/core/backend";
import type { WebgpuLimits } from "../base/index.ts";
import { packed } from "../kernels/index.ts";
import {
  ANOTHERS,
  bindable,
  checkBuffer,
  checkUnmapped,
  chunksOf,
  deviceSamples,
  JobBuffers,
  type Piece,
  wrong,
} from "../memory/index.ts";
import type { Hardware } from "../platform/index.ts";
import { bind, encode } from "./encode.ts";
import { constantCounts, foldingOf } from "./fold.ts";
import type { Kept } from "./kept.ts";
import type { CountSteps } from "./prepare-count.ts";
import type { Program } from "./program.ts";

/** A prepared job. If all of its samples have one code, it has no steps. */
export interface EncodeJob extends Pick<CountJob, "plan" | "lowering" | "channels"> {
  readonly steps: CountSteps | null;
}

/**
 * Records counting as commands in a user's own encoder. The commands make the samples dense if necessary, count them
 * and fold the counts into the user's buffer.
 */
export class Encodings {
  readonly #hardware: Hardware;
  readonly #programs: Kept<CountSteps, Program>;
  readonly #limits: WebgpuLimits;
  readonly #buffers: JobBuffers;

  constructor(hardware: Hardware, programs: Kept<CountSteps, Program>, of: WebgpuLimits) {
    this.#hardware = hardware;
    this.#programs = programs;
    this.#limits = of;
    this.#buffers = new JobBuffers(hardware, of);
  }

  /** Drops all buffers. Commands that were encoded stay valid. */
  close(): void {
    this.#buffers.forget();
  }

  /**
   * Does all that may wait first, and then records all commands at once.
   * @throws ERR_INPUT for an encoder, a buffer or a texture that the device does not accept.
   */
  async encode(job: EncodeJob, target: EncodeTarget, signal: AbortSignal | undefined): Promise<void> {
    const { encoder, check } = target;
    const { device, pipelines } = this.#hardware;
    checkEncoder(encoder);
    const into = intoOf(job, target, this.#limits);
    const { counting, ...needs } = await this.#counting(job, target);
    const folding = await foldingOf(this.#hardware, job, this.#limits, { ...target, first: into.first });
    const isConstant = job.lowering.kind === "constant";
    const buffers = await this.#buffers.of({
      ...needs,
      table: folding.lookup,
      params: packed([...counting, ...folding.dispatches]),
      counts: isConstant ? constantCounts(job, target) : folding.bytes,
    });
    signal?.throwIfAborted();
    this.#hardware.check();
    const { none, codes, histograms, dense } = buffers;
    const scratch = { none, codes, histograms, dense, into: into.binding };
    const { params, nothing, lookup, table: sorting, counts: buffer } = buffers;
    const shared = { pipelines, params, nothing, scratch };
    const cells = { buffer, offset: folding.cellsAt };
    const bound = () => [
      ...bind(device, counting, { ...shared, lookup, counts: cells }),
      ...bind(
        device,
        folding.dispatches,
        { ...shared, lookup: sorting, counts: { buffer } },
        counting.length,
      ),
    ];
    const steps = check ? await this.#hardware.accepted(ANOTHERS, bound) : bound();
    signal?.throwIfAborted();
    const record = () => {
      if (!isConstant) encoder.clearBuffer(buffer, 0, folding.bytes);
      const pass = encoder.beginComputePass({ label: "polybin" });
      encode(pass, steps);
      pass.end();
      return pass;
    };
    if (check) await this.#verdict(await this.#hardware.accepted(CLOSED, record));
    else record();
  }

  /**
   * Finds out whether the encoder accepted a pass. Dawn reports a refusal only when the encoder is finished. But ending
   * a pass twice is always an error, which the encoder's own device reports at once. If the pass was refused, Dawn
   * calls it invalid in this message.
   */
  async #verdict(pass: GPUComputePassEncoder): Promise<void> {
    const error = await this.#hardware.provoked(() => pass.end());
    if (error === null) throw wrong("expected an encoder of the engine's own device");
    if (error.message.startsWith("[Invalid")) throw wrong(CLOSED, error);
  }

  /** Returns the dispatches that count, and the room that they need. */
  async #counting({ steps }: EncodeJob, target: EncodeTarget) {
    if (steps === null) {
      return { counting: [], lookup: null, codesBytes: 0, histogramsBytes: 0, denseBytes: 0 };
    }
    const program = await this.#programs.get(steps);
    const pieces = await this.#pieces(target);
    const most = (of: (piece: Piece) => number) => Math.max(0, ...pieces.map(of));
    return {
      counting: pieces.flatMap((piece) => [...piece.before, ...program.dispatches(piece)]),
      lookup: steps.lookup && { key: [steps.lookup.key], words: steps.lookup.words },
      codesBytes: most(({ pixels }) => program.codesBytes(pixels)),
      histogramsBytes: steps.histogramsBytes,
      denseBytes: most((piece) => piece.denseBytes),
    };
  }

  async #pieces({ input }: EncodeTarget): Promise<readonly Piece[]> {
    if (input.kind === "resident") {
      return chunksOf(input.resident).map((chunk) => ({ ...chunk, before: [], denseBytes: 0 }));
    }
    const samples = deviceSamples(input.external);
    return this.#hardware.watched(samples.pieces(this.#hardware.pipelines, this.#limits));
  }
}

const CLOSED =
  "expected an encoder that accepts commands: it must not be finished and must have no open pass";

function checkEncoder(encoder: object): asserts encoder is GPUCommandEncoder {
  const { beginComputePass, clearBuffer } = encoder as Partial<GPUCommandEncoder>;
  if (typeof beginComputePass !== "function" || typeof clearBuffer !== "function") {
    throw wrong("expected a GPUCommandEncoder for encoder");
  }
}

/**
 * Returns a binding that contains the counts' place and starts at an aligned offset. `first` is the place's first word.
 */
function intoOf(
  { channels }: EncodeJob,
  { into: buffer, offset, bins }: EncodeTarget,
  { alignment }: WebgpuLimits,
): { readonly binding: GPUBufferBinding; readonly first: number } {
  checkBuffer(buffer, "into");
  checkUnmapped(buffer, "into");
  const bytes = channels.length * (bins + limits.FLOW_ROWS) * limits.WORD_BYTES;
  if (offset + bytes > bindable(buffer)) {
    throw wrong(
      `expected ${bytes} bytes in into from byte ${offset} on, for ${channels.length} channels of ${bins} bins and ` +
        `${limits.FLOW_ROWS} flow counts, but it has ${buffer.size}`,
    );
  }
  const left = offset % alignment;
  return {
    binding: { buffer, offset: offset - left, size: left + bytes },
    first: left / limits.WORD_BYTES,
  };
}
