import { type CellsInputs, type CellsPart, type Input, limits, type RunOptions } from "@polybin/core/backend";
import { Source } from "../../memory/index.ts";
import { own } from "../../platform/index.ts";
import { Chain } from "../chain.ts";
import type { Context } from "../context.ts";
import { inOrder } from "../count.ts";
import { withoutGaps } from "./gaps.ts";
import { partsOf, type Stream } from "./parts.ts";
import { type JointProgram, type JointSteps, maskedAt } from "./prepare.ts";
import { distinct, JointRecorder, type List } from "./record.ts";

const BYTE_BITS = 8;

/** Counts several columns as prepared. Samples are uploaded while kernels compile. */
export async function countJoint(
  context: Context,
  steps: JointSteps,
  compiling: Promise<JointProgram>,
  inputs: CellsInputs,
  options: RunOptions,
): Promise<CellsPart> {
  const { signal, onProgress } = options;
  const { where } = inputs;
  const { plan, table } = steps;
  signal?.throwIfAborted();
  const pixels = pixelsOf(inputs.columns[0]!);
  const { all, inputOf, maskInput } = distinct(inputs);
  const streams = all.map((input, i): Stream => {
    const samplesPerPixel = i === maskInput && plan.mask === "bits" ? BYTE_BITS : 1;
    return { chunks: chunksOf(context, input, i, signal), samplesPerPixel };
  });
  const chain = new Chain(context, maskedAt(table) + 1, options.timed === true);
  // With a list, the samples of each part are looked for in the whole list.
  const tell =
    onProgress && ((done: number) => onProgress(where === null ? done : scaled(done, pixels, where)));
  await inOrder(context.hardware, partsOf(streams, pixels), { signal, onProgress: tell }, async (part) => {
    const recorder = new JointRecorder(context, steps, await compiling, inputOf, maskInput);
    let isFirst = true;
    const submit = async (list: List | null, last: boolean) => {
      await chain.count(list?.entries ?? part.pixels, last, (pass, counts) => {
        recorder.record(pass, counts, part, list, isFirst);
      });
      isFirst = false;
    };
    if (where === null) {
      await submit(null, part.last);
      return;
    }
    for (let from = 0; from < where.length; from += listEntries(context)) {
      signal?.throwIfAborted();
      const end = Math.min(where.length, from + listEntries(context));
      const list = await upload(context, where.subarray(from, end), signal);
      await submit(list, part.last && end === where.length);
    }
  });
  await chain.read();
  const masked = chain.totals[maskedAt(table)]!;
  return {
    cells: withoutGaps(chain.totals, plan, table),
    masked,
    timings: { readMs: 0, uploadMs: 0, kernelMs: chain.kernelMs },
  };
}

function pixelsOf(input: Input): number {
  if (input.kind === "samples") return input.samples.pixels;
  if (input.kind === "resident") return input.resident.pixels;
  if (input.kind === "external") return input.external.pixels;
  return 0;
}

/** Returns the chunks of an input. Each input has its own buffer for host memory. */
function chunksOf(context: Context, input: Input, i: number, signal: AbortSignal | undefined) {
  const { hardware, filler, buffers, of } = context;
  return new Source(hardware, filler, buffers.columns[i]!, of).chunks(input, signal);
}

/** Entries of a list that lie on the device at a time. */
function listEntries({ of }: Context): number {
  return Math.floor(of.partBytes / limits.WORD_BYTES);
}

async function upload(context: Context, where: Uint32Array, signal: AbortSignal | undefined): Promise<List> {
  const { hardware, filler, buffers } = context;
  const bytes = new Uint8Array(where.buffer, where.byteOffset, where.byteLength);
  const buffer =
    buffers.list.found(bytes.length) ?? (await hardware.checked(() => buffers.list.of(bytes.length)));
  await filler.fill(buffer, bytes.length, own.PIECE_BYTES, signal, (from, size, into) => {
    into.set(bytes.subarray(from, from + size));
  });
  return { buffer, entries: where.length };
}

function scaled(done: number, pixels: number, where: Uint32Array): number {
  return Math.floor((done / pixels) * where.length);
}
