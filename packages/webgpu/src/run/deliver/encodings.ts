import { type CountJob, type EncodeTarget, limits } from "@polybin/core/backend";
import { type WebgpuLimits, wrong } from "../../base/index.ts";
import { packed } from "../../kernels/index.ts";
import {
  ANOTHERS,
  bindable,
  checkBuffer,
  checkUnmapped,
  JobBuffers,
  type Piece,
  piecesOf,
} from "../../memory/index.ts";
import type { Context } from "../context.ts";
import { codesBytes, dispatchesOf } from "../dispatch/channels.ts";
import { bind, encode, placed } from "../dispatch/commands.ts";
import { constantCounts, foldingOf } from "../dispatch/fold.ts";
import type { ChannelsSteps } from "../prepare/channels.ts";

/** A prepared job. If all of its samples have one code, it has no steps. */
export interface EncodeJob extends Pick<CountJob, "plan" | "lowering" | "channels"> {
  readonly steps: ChannelsSteps | null;
}

/**
 * Records counting as commands in a user's own encoder. The commands make the samples dense if necessary, count them
 * and fold the counts into the user's buffer.
 */
export class Encodings {
  readonly #context: Context;
  readonly #buffers: JobBuffers;

  constructor(context: Context) {
    this.#context = context;
    this.#buffers = new JobBuffers(context.hardware, context.of);
    // Commands that were encoded stay valid.
    context.whenClosed(() => this.#buffers.forget());
  }

  /**
   * Does all that may wait first, and then records all commands at once.
   * @throws ERR_INPUT for an encoder, a buffer or a texture that the device does not accept.
   */
  async encode(job: EncodeJob, target: EncodeTarget, signal: AbortSignal | undefined): Promise<void> {
    const { encoder, check } = target;
    const { hardware, of } = this.#context;
    checkEncoder(encoder);
    const into = intoOf(job, target, of);
    const { counting, ...needs } = await this.#counting(job, target);
    const folding = await foldingOf(hardware, job, of, { ...target, first: into.first });
    const isConstant = job.lowering.kind === "constant";
    const buffers = await this.#buffers.of({
      ...needs,
      table: folding.lookup,
      params: packed([...counting, ...folding.dispatches]),
      counts: isConstant ? constantCounts(job, target) : folding.bytes,
    });
    signal?.throwIfAborted();
    hardware.check();
    const { params, counts: buffer } = buffers;
    const places = { ...buffers, nothing: buffers, into: into.binding };
    const cells = placed(counting, { ...places, counts: { buffer, offset: folding.cellsAt } });
    const folds = placed(folding.dispatches, { ...places, lookup: buffers.table, counts: { buffer } });
    const bound = () => [...bind(hardware, cells, params), ...bind(hardware, folds, params, cells.length)];
    const steps = check ? await hardware.accepted(ANOTHERS, bound) : bound();
    signal?.throwIfAborted();
    const record = () => {
      if (!isConstant) encoder.clearBuffer(buffer, 0, folding.bytes);
      const pass = encoder.beginComputePass({ label: "polybin" });
      encode(pass, steps);
      pass.end();
      return pass;
    };
    if (check) await this.#verdict(await hardware.accepted(CLOSED, record));
    else record();
  }

  /**
   * Finds out whether the encoder accepted a pass. Dawn reports a refusal only when the encoder is finished. But ending
   * a pass twice is always an error, which the encoder's own device reports at once. If the pass was refused, Dawn
   * calls it invalid in this message.
   */
  async #verdict(pass: GPUComputePassEncoder): Promise<void> {
    const error = await this.#context.hardware.provoked(() => pass.end());
    if (error === null) throw wrong("expected an encoder of the engine's own device");
    if (error.message.startsWith("[Invalid")) throw wrong(CLOSED, error);
  }

  /** Returns the dispatches that count, and the room that they need. */
  async #counting({ steps }: EncodeJob, target: EncodeTarget) {
    if (steps === null) {
      return { counting: [], lookup: null, codesBytes: 0, histogramsBytes: 0, denseBytes: 0 };
    }
    const compiled = await this.#context.compiled(steps);
    const pieces = await piecesOf(this.#context, target.input);
    const most = (of: (piece: Piece) => number) => Math.max(0, ...pieces.map(of));
    const { lookup, histogramsBytes } = steps;
    return {
      counting: pieces.flatMap((piece) => [...piece.before, ...dispatchesOf(steps, compiled, piece)]),
      lookup: lookup && { key: [lookup.key], words: lookup.words },
      codesBytes: most(({ pixels }) => codesBytes(steps, pixels)),
      histogramsBytes,
      denseBytes: most((piece) => piece.denseBytes),
    };
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
