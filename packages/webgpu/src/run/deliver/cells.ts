import { type CellsInputs, type CellsPart, type Input, limits, type RunOptions } from "@polybin/core/backend";
import { Source, shapeOf } from "../../memory/index.ts";
import { own } from "../../platform/index.ts";
import type { Context } from "../context.ts";
import { cellsCommands, distinct, type List } from "../dispatch/cells.ts";
import { partsOf, type Stream } from "../dispatch/parts.ts";
import { withoutGaps } from "../prepare/cells/gaps.ts";
import { type CellsSteps, maskedAt } from "../prepare/cells/prepare.ts";
import { Chain } from "./chain.ts";
import { inOrder } from "./in-order.ts";

const BYTE_BITS = 8;

/** Counts several columns as prepared. Samples are uploaded while kernels compile. */
export async function countCells(
  context: Context,
  steps: CellsSteps,
  given: CellsInputs,
  { signal, onProgress, timed }: RunOptions,
): Promise<CellsPart> {
  signal?.throwIfAborted();
  const { where } = given;
  const { plan, table } = steps;
  const compiling = context.compiled(steps);
  const { pixels } = shapeOf(given.columns[0]!);
  const inputs = distinct(given);
  const streams = inputs.all.map((input, i): Stream => {
    const samplesPerPixel = i === inputs.maskInput && plan.mask === "bits" ? BYTE_BITS : 1;
    return { chunks: chunksOf(context, input, i, signal), samplesPerPixel };
  });
  const chain = new Chain(context, maskedAt(table) + 1, timed);
  // With a list, the samples of each part are looked for in the whole list.
  const scaled = (done: number) => (where === null ? done : Math.floor((done / pixels) * where.length));
  const tell = onProgress && ((done: number) => onProgress(scaled(done)));
  await inOrder(context.hardware, partsOf(streams, pixels), { signal, onProgress: tell }, async (part) => {
    const count = { steps, compiled: await compiling, inputs };
    const submit = async (list: List | null, isFirst: boolean, last: boolean) => {
      await chain.count(list?.entries ?? part.pixels, last, (counts) =>
        cellsCommands(context, count, { part, list, isFirst }, counts),
      );
    };
    if (where === null) return submit(null, true, part.last);
    // Entries of a list that lie on the device at a time.
    const most = Math.floor(context.of.partBytes / limits.WORD_BYTES);
    for (let from = 0; from < where.length; from += most) {
      signal?.throwIfAborted();
      const end = Math.min(where.length, from + most);
      const list = await upload(context, where.subarray(from, end), signal);
      await submit(list, from === 0, part.last && end === where.length);
    }
  });
  await chain.read();
  return {
    cells: withoutGaps(chain.totals, plan, table),
    masked: chain.totals[maskedAt(table)]!,
    timings: { readMs: 0, uploadMs: 0, kernelMs: chain.kernelMs },
  };
}

/** Returns the chunks of an input. Each input has its own buffer for host memory. */
function chunksOf(context: Context, input: Input, i: number, signal: AbortSignal | undefined) {
  const { hardware, filler, buffers, of } = context;
  return new Source(hardware, filler, buffers.columns[i]!, of).chunks(input, signal);
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
