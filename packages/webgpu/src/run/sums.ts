import {
  type FeatureSums,
  limits,
  type ResidentTable,
  type RunOptions,
  type SumsPart,
  type SumsWeights,
} from "@polybin/core/backend";
import { PARAMS_STRIDE } from "../kernels/index.ts";
import { type Growing, type TablePart, tableOf } from "../memory/index.ts";
import { type Hardware, type Kernel, own, Timer } from "../platform/index.ts";
import type { Context } from "./context.ts";
import type { Batch, SumsSteps } from "./prepare-sums.ts";
import { readBack } from "./readback.ts";
import { sumsOf } from "./sums-totals.ts";

/** The kernels' inputs in addition to the table, in the order of the bindings. */
interface Inputs {
  readonly weights: GPUBuffer;
  readonly squares: GPUBuffer;
  readonly documents: GPUBuffer;
  readonly features: GPUBuffer;
}

/** The pipelines of prepared steps, by their kernels. */
export type SumsPipelines = ReadonlyMap<Kernel, GPUComputePipeline>;

/** Compiles what prepared steps need. */
export async function compileSums({ pipelines }: Hardware, { kernels }: SumsSteps): Promise<SumsPipelines> {
  return new Map(
    await Promise.all(kernels.map(async (kernel) => [kernel, await pipelines.of(kernel)] as const)),
  );
}

/** Adds weights up as prepared. */
export async function sums(
  context: Context,
  steps: SumsSteps,
  compiling: Promise<SumsPipelines>,
  table: ResidentTable,
  weights: SumsWeights,
  options: RunOptions,
): Promise<SumsPart> {
  const { signal, onProgress } = options;
  signal?.throwIfAborted();
  const { parts } = tableOf(table);
  const start = performance.now();
  // Weights are uploaded while kernels compile.
  const inputs = await bringInputs(context, weights, steps, signal);
  const uploadMs = performance.now() - start;
  const pipelines = await compiling;
  const features: FeatureSums[] = [];
  let done = 0;
  let kernelMs = 0;
  for (const batch of steps.batches) {
    const work = { batch, inputs, pipelines, parts, timed: steps.timed };
    const { words, ms } = await addUp(context, work, signal, (values) => {
      done += values;
      onProgress?.(done);
    });
    kernelMs += ms.reduce((sum, one) => sum + one, 0);
    place(features, batch, words, steps.timed ? ms : null);
  }
  return { features, timings: { readMs: 0, uploadMs, kernelMs } };
}

async function bringInputs(
  { hardware, buffers, filler, of }: Context,
  { weights, squares, documents }: SumsWeights,
  { features }: SumsSteps,
  signal: AbortSignal | undefined,
): Promise<Inputs> {
  const bring = async (to: Growing, array: Int32Array | Float32Array | Uint32Array | null) => {
    if (array === null) return buffers.nothingRead;
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    const buffer = await hardware.checked(() => to.of(bytes.length, of.chunkBytes));
    await filler.fill(buffer, bytes.length, own.PIECE_BYTES, signal, (from, size, into) => {
      if (array instanceof Float32Array) writeFloats(array, from, size, into);
      else into.set(bytes.subarray(from, from + size));
    });
    return buffer;
  };
  return {
    weights: await bring(buffers.weights, weights),
    squares: await bring(buffers.squares, squares),
    documents: await bring(buffers.documents, documents),
    features: await bring(buffers.features, features),
  };
}

/** Scales floats far away from denormals, which a device may flush to zero. */
function writeFloats(array: Float32Array, from: number, size: number, into: Uint8Array): void {
  const first = from / limits.WORD_BYTES;
  const floats = new Float32Array(into.buffer, into.byteOffset, size / limits.WORD_BYTES);
  for (let i = 0; i < floats.length; i++) floats[i] = array[first + i]! * own.FLOAT_SCALE;
}

interface Work {
  readonly batch: Batch;
  readonly inputs: Inputs;
  readonly pipelines: SumsPipelines;
  readonly parts: readonly TablePart[];
  readonly timed: boolean;
}

/** Adds a batch up. Returns its totals and the milliseconds of each of its submissions. */
async function addUp(
  context: Context,
  work: Work,
  signal: AbortSignal | undefined,
  onDone: (values: number) => void,
): Promise<{ readonly words: Uint32Array<ArrayBuffer>; readonly ms: readonly number[] }> {
  const { hardware, buffers, of } = context;
  const { device, timer } = hardware;
  const { batch, timed } = work;
  const bytes = batch.words * limits.WORD_BYTES;
  const { value: bound, errors } = hardware.scoped(() => boundTo(context, work));
  errors.catch(() => {});
  const accepted = [errors];
  const queued: Promise<void>[] = [];
  const hostMs: number[] = [];
  let isOver = false;
  try {
    for (const [i, submission] of batch.submissions.entries()) {
      signal?.throwIfAborted();
      const start = performance.now();
      const submitted = hardware.scoped(() => submit(context, work, bound, i));
      submitted.errors.catch(() => {});
      accepted.push(submitted.errors);
      const finished = hardware.watched(device.queue.onSubmittedWorkDone()).then(() => {
        hostMs[i] = performance.now() - start;
        if (!isOver) onDone(submission.reduce((sum, { launch }) => sum + launch.values, 0));
      });
      finished.catch(() => {});
      queued.push(finished);
      // Without timestamps the host takes the times, so it runs one submission at a time.
      if (queued.length >= own.PIECES || (timed && timer === null)) await queued.shift();
    }
    signal?.throwIfAborted();
    await Promise.all(queued);
  } finally {
    isOver = true;
    // The table may be freed next.
    await Promise.allSettled(queued);
  }
  // Timestamps have eight bytes.
  const stampsAt = limits.divideCeiling(bytes, limits.VECTOR_BYTES) * limits.VECTOR_BYTES;
  const size = stampsAt + (timer?.bytes ?? 0);
  const reading = readBack(hardware, (encoder) => {
    const to = buffers.readback.of(size, of.chunkBytes);
    encoder.copyBufferToBuffer(bound.totals, 0, to, 0, bytes);
    timer?.resolve(encoder, to, stampsAt);
    return { to, bytes: size };
  });
  const [read] = await Promise.all([reading, ...accepted]);
  return {
    words: new Uint32Array(read, 0, batch.words),
    ms: timer === null ? (timed ? hostMs : []) : Timer.passes(new BigUint64Array(read, stampsAt)),
  };
}

/** The bindings of a batch's dispatches. */
interface Bound {
  readonly totals: GPUBuffer;
  readonly groupOf: (part: number) => GPUBindGroup;
  /** The offset of the params of each submission's first dispatch. */
  readonly offsets: readonly number[];
}

function boundTo({ hardware, buffers, of }: Context, { batch, inputs, parts }: Work): Bound {
  const { device, pipelines, timer } = hardware;
  const params = batch.params();
  const uniform = buffers.params.of(params.byteLength);
  device.queue.writeBuffer(uniform, 0, params);
  const totals = buffers.totals.of(batch.words * limits.WORD_BYTES, of.chunkBytes);
  const groups = new Map<number, GPUBindGroup>();
  const groupOf = (part: number) => {
    const { weights, squares, documents, features } = inputs;
    const entries = [parts[part]!.buffer, weights, squares, documents, features, totals].map((buffer) => ({
      buffer,
    }));
    const group =
      groups.get(part) ??
      device.createBindGroup({
        layout: pipelines.layout("sums"),
        entries: [...entries, { buffer: uniform, size: PARAMS_STRIDE }].map((resource, binding) => ({
          binding,
          resource,
        })),
      });
    groups.set(part, group);
    return group;
  };
  let offset = 0;
  const offsets = batch.submissions.map(({ length }) => {
    offset += length * PARAMS_STRIDE;
    return offset - length * PARAMS_STRIDE;
  });
  timer?.start();
  return { totals, groupOf, offsets };
}

function submit(
  { hardware: { device, timer } }: Context,
  { batch, pipelines }: Work,
  { totals, groupOf, offsets }: Bound,
  number: number,
): void {
  const encoder = device.createCommandEncoder();
  if (number === 0) encoder.clearBuffer(totals, 0, batch.words * limits.WORD_BYTES);
  const pass = encoder.beginComputePass(timer?.pass() ?? {});
  for (const [i, { launch }] of batch.submissions[number]!.entries()) {
    pass.setPipeline(pipelines.get(launch.kernel)!);
    pass.setBindGroup(0, groupOf(launch.part), [offsets[number]! + i * PARAMS_STRIDE]);
    pass.dispatchWorkgroups(...launch.grid);
  }
  pass.end();
  device.queue.submit([encoder.finish()]);
}

/** Stores a batch's sums at their places in a job's result. `ms` has a time per submission if the job is timed. */
function place(
  into: FeatureSums[],
  { submissions }: Batch,
  words: Uint32Array<ArrayBuffer>,
  ms: readonly number[] | null,
): void {
  for (const [i, submission] of submissions.entries()) {
    for (const { launch, to } of submission) {
      for (const [at, index] of launch.places.entries()) {
        into[index] = {
          ...sumsOf(words, to + at * launch.featureWords, launch),
          // WGSL has no clock, so the features of a launch have equal shares of its time. A tick of the device's clock
          // may be longer than a launch. A time of zero could not be compared.
          ms: ms === null ? null : Math.max(ms[i]!, own.SHORTEST_MS) / launch.places.length,
        };
      }
    }
  }
}
