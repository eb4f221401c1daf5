import {
  type FeatureSums,
  limits,
  type ResidentTable,
  type RunOptions,
  type SumsPart,
  type SumsWeights,
} from "@polybin/core/backend";
import { type Growing, tableOf, type Write } from "../../memory/index.ts";
import { own } from "../../platform/index.ts";
import type { Compiled, Context } from "../context.ts";
import { type Command, recordPass } from "../dispatch/commands.ts";
import type { Batch, BatchedLaunch, SumsSteps } from "../prepare/sums.ts";
import { deliver, submitted, total } from "./deliver.ts";
import { inOrder } from "./in-order.ts";
import { sumsOf } from "./totals.ts";

/** A batch, and all that its launches are bound to. */
interface Work {
  readonly batch: Batch;
  readonly compiled: Compiled;
  /** The parts of the table. */
  readonly parts: readonly GPUBufferBinding[];
  /** The kernels' inputs in addition to the table, in the order of the bindings. */
  readonly inputs: readonly GPUBufferBinding[];
  readonly timed: boolean;
}

/** Adds weights up as prepared. */
export async function countSums(
  context: Context,
  steps: SumsSteps,
  table: ResidentTable,
  weights: SumsWeights,
  { signal, onProgress }: RunOptions,
): Promise<SumsPart> {
  signal?.throwIfAborted();
  const { timed, batches } = steps;
  const compiling = context.compiled(steps);
  const parts = tableOf(table).parts.map(({ buffer }) => ({ buffer }));
  const start = performance.now();
  // Weights are uploaded while kernels compile.
  const inputs = await bringInputs(context, weights, steps, signal);
  const uploadMs = performance.now() - start;
  const compiled = await compiling;
  const features: FeatureSums[] = [];
  let before = 0;
  let kernelMs = 0;
  for (const batch of batches) {
    const tell = (values: number) => onProgress?.(before + values);
    const work = { batch, compiled, parts, inputs, timed };
    await addUp(context, work, { signal, onProgress: tell }, (words, ms) => {
      kernelMs += total(ms);
      place(features, batch, words, timed ? ms : null);
    });
    before += total(batch.submissions.flat().map(({ values }) => values));
  }
  return { features, timings: { readMs: 0, uploadMs, kernelMs } };
}

async function bringInputs(
  { buffers, filler, of }: Context,
  { weights, squares, documents }: SumsWeights,
  { features }: SumsSteps,
  signal: AbortSignal | undefined,
): Promise<GPUBufferBinding[]> {
  const bring = async (to: Growing, array: Int32Array | Float32Array | Uint32Array | null) => {
    if (array === null) return { buffer: buffers.nothing.read };
    const write = array instanceof Float32Array ? floatWriter(array) : undefined;
    return { buffer: await filler.copy(array, to, of.chunkBytes, signal, write) };
  };
  return [
    await bring(buffers.weights, weights),
    await bring(buffers.squares, squares),
    await bring(buffers.documents, documents),
    await bring(buffers.features, features),
  ];
}

/** Returns the writer that scales floats far away from denormals, which a device may flush to zero. */
function floatWriter(array: Float32Array): Write {
  return (from, size, into) => {
    const first = from / limits.WORD_BYTES;
    const floats = new Float32Array(into.buffer, into.byteOffset, size / limits.WORD_BYTES);
    for (let i = 0; i < floats.length; i++) floats[i] = array[first + i]! * own.FLOAT_SCALE;
  };
}

/** Adds a batch up. `take` gets its totals and the milliseconds of each of its submissions. */
async function addUp(
  context: Context,
  work: Work,
  options: RunOptions,
  take: (words: Uint32Array<ArrayBuffer>, ms: readonly number[]) => void,
): Promise<void> {
  const { hardware, buffers, of } = context;
  const { device, timer } = hardware;
  const { submissions, words } = work.batch;
  const bytes = words * limits.WORD_BYTES;
  const totals = () => buffers.totals.of(bytes, of.chunkBytes);
  const accepted: Promise<void>[] = [];
  const hostMs: number[] = [];
  const parts = submissions.map((launches, i) => {
    return { launches, isFirst: i === 0, pixels: total(launches.map(({ values }) => values)), last: false };
  });
  await inOrder(hardware, parts, options, async ({ launches, isFirst }) => {
    const start = performance.now();
    const accepting = submitted(context, (encoder) => {
      const buffer = totals();
      if (isFirst) {
        encoder.clearBuffer(buffer, 0, bytes);
        timer?.start();
      }
      recordPass(context, encoder, commandsOf(work, launches, buffer), timer?.pass());
    });
    accepting.catch(() => {});
    accepted.push(accepting);
    // Without timestamps the host takes the times, so it runs one submission at a time.
    if (timer !== null || !work.timed) return;
    await hardware.watched(device.queue.onSubmittedWorkDone());
    hostMs.push(performance.now() - start);
  });
  const left = () => ({ buffer: totals(), bytes });
  const arriving = deliver(context, timer, left, (found, ms) => take(found, timer === null ? hostMs : ms));
  await Promise.all([arriving, ...accepted]);
}

function commandsOf(
  { compiled, parts, inputs }: Work,
  launches: readonly BatchedLaunch[],
  buffer: GPUBuffer,
): Command[] {
  const totals = { buffer };
  return launches.map(({ kernel, grid, params, part, to }) => ({
    ...{ kernel, pipeline: compiled.get(kernel)!, grid },
    params: { ...params, to },
    resources: [parts[part]!, ...inputs, totals],
  }));
}

/** Stores a batch's sums at their places in a job's result. `ms` has a time per submission if the job is timed. */
function place(
  into: FeatureSums[],
  { submissions }: Batch,
  words: Uint32Array<ArrayBuffer>,
  ms: readonly number[] | null,
): void {
  for (const [i, submission] of submissions.entries()) {
    for (const launch of submission) {
      for (const [at, index] of launch.places.entries()) {
        into[index] = {
          ...sumsOf(words, launch.to + at * launch.featureWords, launch),
          // WGSL has no clock, so the features of a launch have equal shares of its time. A tick of the device's clock
          // may be longer than a launch. A time of zero could not be compared.
          ms: ms === null ? null : Math.max(ms[i]!, own.SHORTEST_MS) / launch.places.length,
        };
      }
    }
  }
}
