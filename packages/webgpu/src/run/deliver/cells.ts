import {
  type CellsInputs,
  type CellsJob,
  type CellsPart,
  limits,
  type PreparedCells,
  type RunOptions,
} from "@polybin/core/backend";
import { chunksOf, shapeOf } from "../../memory/index.ts";
import type { Context } from "../context.ts";
import { cellsCommands, distinct } from "../dispatch/cells.ts";
import { partsOf, type Stream } from "../dispatch/parts.ts";
import { withoutGaps } from "../prepare/cells/gaps.ts";
import { type CellsSteps, prepareCells } from "../prepare/cells/prepare.ts";
import { countsOf } from "../prepare/channels.ts";
import { Chain } from "./chain.ts";
import { inOrder } from "./in-order.ts";

const BYTE_BITS = 8;

/** Prepares a joint job and starts to compile its kernels. */
export function preparedCells(context: Context, job: CellsJob): PreparedCells {
  const known = new Map<string, CellsSteps>();
  // Which columns are channels of the same pixels shows when they are counted.
  const stepsOf = (sources: readonly number[]): CellsSteps => {
    const key = sources.join();
    const steps = known.get(key) ?? prepareCells(job, sources, context.catalog, context.of);
    known.set(key, steps);
    return steps;
  };
  const likely = stepsOf(likelySources(job));
  context.compiled(likely);
  return {
    launch: likely.launch,
    count: (inputs, options) => {
      const { inputOf } = distinct(inputs);
      const steps = stepsOf(inputOf.map((input) => inputOf.indexOf(input)));
      const kinds = inputs.columns.map(({ kind }) => kind);
      return context.run(kinds.includes("external") ? "external" : kinds[0]!, options, () =>
        countCells(context, steps, inputs, options),
      );
    },
  };
}

/** Returns the column that each column probably shares its pixels with: channels of a picture. */
function likelySources({ columns }: CellsJob): readonly number[] {
  return columns.map(({ interleaved, type }, k) => {
    const first = columns.findIndex((one) => one.interleaved === interleaved && one.type === type);
    return interleaved === 1 ? k : first;
  });
}

/** Counts several columns as prepared. Samples are uploaded while kernels compile. */
async function countCells(
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
  // Each input has its own buffer for host memory.
  const streams = inputs.all.map((input, i): Stream => {
    const samplesPerPixel = i === inputs.maskInput && plan.mask === "bits" ? BYTE_BITS : 1;
    return { chunks: chunksOf(context, input, { signal, to: context.buffers.columns[i] }), samplesPerPixel };
  });
  // The number of masked samples follows the counts.
  const maskedAt = countsOf(table);
  const chain = new Chain(context, maskedAt + 1, timed);
  // With a list, the samples of each part are looked for in the whole list.
  const scaled = (done: number) => (where === null ? done : Math.floor((done / pixels) * where.length));
  const tell = onProgress && ((done: number) => onProgress(scaled(done)));
  await inOrder(context.hardware, partsOf(streams, pixels), { signal, onProgress: tell }, async (part) => {
    const count = { steps, compiled: await compiling, inputs };
    const submit = async (list: number | null, isFirst: boolean, last: boolean) => {
      await chain.count(list ?? part.pixels, last, (counts) =>
        cellsCommands(context, count, { part, list, isFirst }, counts),
      );
    };
    if (where === null) return submit(null, true, part.last);
    // Entries of a list that lie on the device at a time.
    const most = Math.floor(context.of.partBytes / limits.WORD_BYTES);
    for (let from = 0; from < where.length; from += most) {
      signal?.throwIfAborted();
      const end = Math.min(where.length, from + most);
      const { filler, buffers, of } = context;
      await filler.copy(where.subarray(from, end), buffers.list, of.chunkBytes, signal);
      await submit(end - from, from === 0, part.last && end === where.length);
    }
  });
  await chain.read();
  return {
    cells: withoutGaps(chain.totals, plan, table),
    masked: chain.totals[maskedAt]!,
    timings: { readMs: 0, uploadMs: 0, kernelMs: chain.kernelMs },
  };
}
