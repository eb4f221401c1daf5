import {
  type FeatureSums,
  limits,
  type RunOptions,
  type SumsJob,
  type SumsPartial,
} from "@polybin/core/backend";
import type { Buffers, Growing } from "./buffers.ts";
import type { WebgpuLimits } from "./capabilities.ts";
import type { Filler } from "./filler.ts";
import type { Hardware } from "./hardware.ts";
import { PARAMS_STRIDE, packSumsParams } from "./params.ts";
import { readBack } from "./readback.ts";
import { type Batch, batchesOf, launchesFor, paramsOf, type SumsLaunch } from "./sums-launches.ts";
import { sumsOf } from "./sums-totals.ts";
import { type TablePart, tableOf } from "./table.ts";
import { Timer } from "./timer.ts";

/** What the calls on a device share. */
export interface SumsContext {
  readonly hardware: Hardware;
  readonly buffers: Buffers;
  readonly filler: Filler;
  readonly of: WebgpuLimits;
}

/** Where kernels read, beside the table, in the order of the bindings. */
interface Inputs {
  readonly weights: GPUBuffer;
  readonly squares: GPUBuffer;
  readonly documents: GPUBuffer;
  readonly features: GPUBuffer;
}

/** Adds weights up as the job's plans say. */
export async function sums(context: SumsContext, job: SumsJob, options: RunOptions): Promise<SumsPartial> {
  const { signal, onProgress } = options;
  signal?.throwIfAborted();
  const { hardware, of } = context;
  const { pitch, parts } = tableOf(job.table);
  const launches = launchesFor(job, parts, of);
  // Weights are on their way while kernels are compiled.
  const compiling = hardware.watched(
    Promise.all(launches.map(({ kernel }) => hardware.pipelines.of(kernel))),
  );
  compiling.catch(() => {});
  const start = performance.now();
  const inputs = await bringInputs(context, job, launches, signal);
  const uploadMs = performance.now() - start;
  const compiled = await compiling;
  const pipelines = new Map(launches.map((launch, i) => [launch, compiled[i]!]));
  const features: FeatureSums[] = [];
  let done = 0;
  let kernelMs = 0;
  for (const batch of batchesOf(launches, job.timed, of)) {
    const { words, ms } = await addUp(context, { batch, inputs, pipelines, pitch, job }, signal, (values) => {
      done += values;
      onProgress?.(done);
    });
    kernelMs += ms.reduce((sum, one) => sum + one, 0);
    place(features, batch, words, job.timed ? ms : null);
  }
  return { features, timings: { readMs: 0, uploadMs, kernelMs } };
}

async function bringInputs(
  { hardware, buffers, filler, of }: SumsContext,
  { weights, squares, documents }: SumsJob,
  launches: readonly SumsLaunch[],
  signal: AbortSignal | undefined,
): Promise<Inputs> {
  const bring = async (to: Growing, array: Int32Array | Float32Array | Uint32Array | null) => {
    if (array === null) return buffers.nothingRead;
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    const buffer = await hardware.checked(() => to.of(bytes.length, of.chunkBytes));
    await filler.fill(buffer, bytes.length, limits.WEBGPU_PIECE_BYTES, signal, (from, size, into) => {
      if (array instanceof Float32Array) writeFloats(array, from, size, into);
      else into.set(bytes.subarray(from, from + size));
    });
    return buffer;
  };
  return {
    weights: await bring(buffers.weights, weights),
    squares: await bring(buffers.squares, squares),
    documents: await bring(buffers.documents, documents),
    features: await bring(
      buffers.features,
      Uint32Array.from(launches.flatMap(({ features }) => features.flat())),
    ),
  };
}

/** A device may flush denormals: floats are kept far from them. */
function writeFloats(array: Float32Array, from: number, size: number, into: Uint8Array): void {
  const first = from / limits.WORD_BYTES;
  const floats = new Float32Array(into.buffer, into.byteOffset, size / limits.WORD_BYTES);
  for (let i = 0; i < floats.length; i++) floats[i] = array[first + i]! * limits.WEBGPU_FLOAT_SCALE;
}

interface Work {
  readonly batch: Batch;
  readonly inputs: Inputs;
  readonly pipelines: ReadonlyMap<SumsLaunch, GPUComputePipeline>;
  readonly pitch: number;
  readonly job: SumsJob;
}

/** Adds a batch up and reads its totals, and the milliseconds of each of its submissions. */
async function addUp(
  context: SumsContext,
  work: Work,
  signal: AbortSignal | undefined,
  onDone: (values: number) => void,
): Promise<{ readonly words: Uint32Array<ArrayBuffer>; readonly ms: readonly number[] }> {
  const { hardware, buffers, of } = context;
  const { device, timer } = hardware;
  const { batch, job } = work;
  const bytes = batch.words * limits.WORD_BYTES;
  const { value: bound, errors } = hardware.scoped(() => prepare(context, work));
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
      // A device without timestamps is timed from here: one submission at a time.
      if (queued.length >= limits.WEBGPU_PIECES || (job.timed && timer === null)) await queued.shift();
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
    ms: timer === null ? (job.timed ? hostMs : []) : Timer.passes(new BigUint64Array(read, stampsAt)),
  };
}

/** What the dispatches of a batch are bound to. */
interface Bound {
  readonly totals: GPUBuffer;
  readonly groupOf: (part: TablePart) => GPUBindGroup;
  /** Where the params of each submission's first dispatch begin. */
  readonly offsets: readonly number[];
}

function prepare({ hardware, buffers, of }: SumsContext, { batch, inputs, pitch, job }: Work): Bound {
  const { device, pipelines, timer } = hardware;
  const params = packSumsParams(
    batch.submissions.flat().map(({ launch, to }) => paramsOf(launch, job, pitch, to, of)),
  );
  const uniform = buffers.params.of(params.byteLength);
  device.queue.writeBuffer(uniform, 0, params);
  const totals = buffers.totals.of(batch.words * limits.WORD_BYTES, of.chunkBytes);
  const groups = new Map<TablePart, GPUBindGroup>();
  const groupOf = (part: TablePart) => {
    const { weights, squares, documents, features } = inputs;
    const entries = [part.buffer, weights, squares, documents, features, totals].map((buffer) => ({
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
  { hardware: { device, timer } }: SumsContext,
  { batch, pipelines }: Work,
  { totals, groupOf, offsets }: Bound,
  number: number,
): void {
  const encoder = device.createCommandEncoder();
  if (number === 0) encoder.clearBuffer(totals, 0, batch.words * limits.WORD_BYTES);
  const pass = encoder.beginComputePass(timer?.pass() ?? {});
  for (const [i, { launch }] of batch.submissions[number]!.entries()) {
    pass.setPipeline(pipelines.get(launch)!);
    pass.setBindGroup(0, groupOf(launch.part), [offsets[number]! + i * PARAMS_STRIDE]);
    pass.dispatchWorkgroups(...launch.grid);
  }
  pass.end();
  device.queue.submit([encoder.finish()]);
}

/** Puts what a batch added up where it belongs in a job's result. `ms`: of each submission, of a timed job. */
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
          // A step of the device's clock may be longer than a launch: what took no time cannot be compared.
          ms: ms === null ? null : Math.max(ms[i]!, limits.WEBGPU_SHORTEST_MS),
        };
      }
    }
  }
}
