import { limits, NAN, OVERFLOW, SAMPLE_TRAITS, UNDERFLOW } from "@polybin/core/backend";
import { eachRun, readerOf } from "../input/index.ts";
import { type FusedKernel, kernelOf } from "../kernels/index.ts";
import { giveRegions, takeRegions, type VisibleInstances, type Wasm } from "../platform/index.ts";
import { Lowerer } from "./lowerer.ts";
import { eachStep } from "./steps.ts";
import type { ChannelResult, ChannelsTask, ChannelsWork } from "./task.ts";

/** Counts the steps that this thread takes: in place if possible, otherwise a copy of each. */
export function countChannels(
  task: ChannelsTask,
  instance: (channel: number) => Wasm,
  instances: VisibleInstances,
): ChannelResult[] {
  return inPlace(task, instances) ?? copied(task, instance);
}

/** Returns null if the samples must be copied: for their kernel, or because other threads use all tables. */
function inPlace(task: ChannelsTask, instances: VisibleInstances): ChannelResult[] | null {
  const { work, at, steps } = task;
  const { source } = at;
  const { channels } = work;
  if (source.kind === "file" || source.visible === null || work.setup === null) return null;
  const { visible, geometry, bytes } = source;
  const taken = takeRegions(visible, channels.length);
  if (taken.length === 0) return null;
  const counters = channels.map((channel, i) => byRows(instances.of(visible, taken[i]!, i), work, channel));
  eachStep(steps, ({ first, end, at: from }) => {
    eachRun(geometry, from, end - first, (start, pixels) => {
      for (const counter of counters) counter.add(pixels, bytes.byteOffset + start);
    });
  });
  const results = counters.map((counter) => counter.finish());
  giveRegions(visible, taken);
  return results;
}

/** Counts one channel after another, each in an instance with memory of its own. */
function copied(task: ChannelsTask, instance: (channel: number) => Wasm): ChannelResult[] {
  const { work, at, steps, tables } = task;
  const { source } = at;
  const { channels, setup } = work;
  const counters = channels.map((channel, i) => {
    const wasm = instance(i);
    return setup === null ? byCodes(wasm, work, channel, tables?.[i] ?? null) : byRows(wasm, work, channel);
  });
  const chunk = instance(0).input;
  const read = readerOf(at, chunk);
  eachStep(steps, ({ first, end, at: from }) => {
    const pixels = end - first;
    read(from, from + pixels);
    for (let i = 0; i < counters.length; i++) {
      if (i > 0) instance(i).input.set(chunk.subarray(0, pixels * source.geometry.pixelBytes));
      counters[i]!.add(pixels);
    }
  });
  return counters.map((counter) => counter.finish());
}

/** Counts one channel of pixels in one instance. */
interface ChannelCounter {
  /** Adds pixels from the instance's chunk on, or from an address on. */
  add(pixels: number, address?: number): void;
  /** Ends the job and clears everything. */
  finish(): ChannelResult;
}

/**
 * Counts a few samples of one channel, which fit the instance's input. For them, a task would take longer than counting.
 */
export function countFew(wasm: Wasm, { plan, setup }: ChannelsWork, bytes: Uint8Array): ChannelResult {
  const kernel = kernelOf(plan);
  wasm.input.set(bytes);
  if (setup === null) {
    kernel.count(wasm, { address: wasm.chunk, count: bytes.length, bytes: 1 }, plan, null);
    kernel.finish(wasm, 1, plan);
    wasm.take_counts(plan.cells);
    return { cells: copyOf(wasm.sums, 0, plan.cells), flow: NO_FLOW };
  }
  beginRows(wasm, kernel.fused!, setup);
  kernel.fused!.count(wasm, setup, wasm.chunk, bytes.length / SAMPLE_TRAITS[plan.type].bytes);
  kernel.fused!.finish(wasm);
  return rowsOf(wasm.sums, plan.cells);
}

/** Shared by all results of bytes, and never written. */
const NO_FLOW = new Float64Array(limits.FLOW_ROWS);

/** Returns a copy of some numbers. `slice` takes longer for a few. */
function copyOf(numbers: Float64Array, first: number, count: number): Float64Array {
  const copy = new Float64Array(count);
  copy.set(numbers.subarray(first, first + count));
  return copy;
}

/** Counts in two stages: it converts samples to codes, and then counts the codes. */
function byCodes(wasm: Wasm, work: ChannelsWork, channel: number, shared: Int32Array | null): ChannelCounter {
  const { plan } = work;
  const kernel = kernelOf(plan);
  const lowerer = new Lowerer(wasm, work, channel);
  return {
    add: (pixels) => kernel.count(wasm, lowerer.codes(pixels), plan, shared),
    finish() {
      if (shared === null) kernel.finish(wasm, lowerer.codeBytes, plan);
      const flow = lowerer.flow();
      if (shared === null) wasm.take_counts(plan.cells);
      // Bytes have no flow, and their kernel has cleared its tables.
      if (!plan.raw) wasm.reset(0);
      return { cells: shared === null ? copyOf(wasm.sums, 0, plan.cells) : null, flow };
    },
  };
}

/** Pixels of one channel that are gathered at a time: 8 to 32 KiB, which fit a first-level cache. */
const GATHERED = 4096;

/** Counts in one stage, into rows: samples in place, or the gathered samples of one channel among several. */
function byRows(wasm: Wasm, { plan, setup, interleaved }: ChannelsWork, channel: number): ChannelCounter {
  const kernel = kernelOf(plan).fused!;
  const { bytes } = SAMPLE_TRAITS[plan.type];
  beginRows(wasm, kernel, setup!);
  return {
    add(pixels, address = wasm.chunk) {
      const first = address + channel * bytes;
      if (interleaved === 1) return kernel.count(wasm, setup!, first, pixels);
      for (let done = 0; done < pixels; done += GATHERED) {
        const some = Math.min(GATHERED, pixels - done);
        const start = kernel.gather(wasm, first + done * interleaved * bytes, some, { bytes, interleaved });
        kernel.count(wasm, setup!, start, some);
      }
    },
    finish() {
      kernel.finish(wasm);
      return rowsOf(wasm.sums, plan.cells);
    },
  };
}

function beginRows(wasm: Wasm, kernel: FusedKernel, setup: NonNullable<ChannelsWork["setup"]>): void {
  if (wasm.loaded !== setup.id) {
    kernel.load(wasm, setup);
    wasm.loaded = setup.id;
  }
  kernel.begin(wasm, setup);
}

/** Reads rows: NaN, underflow, the bins, overflow. */
function rowsOf(sums: Float64Array, cells: number): ChannelResult {
  const flow = new Float64Array(limits.FLOW_ROWS);
  flow[NAN] = sums[0]!;
  flow[UNDERFLOW] = sums[1]!;
  flow[OVERFLOW] = sums[cells + 2]!;
  return { cells: copyOf(sums, 2, cells), flow };
}
