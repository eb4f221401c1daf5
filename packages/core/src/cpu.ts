import { algorithms, SLUGS } from "./algorithms/index.ts";
import { edgesOf } from "./axis.ts";
import type {
  Backend,
  ChannelCounts,
  CountJob,
  Device,
  Input,
  Partial,
  Resident,
  RunOptions,
} from "./backend.ts";
import { PolybinError } from "./errors.ts";
import { type Extent, extentOf } from "./extent.ts";
import { BYTE_VALUES, REFERENCE_CHUNK, STREAM_CHUNK } from "./limits.ts";
import { lowerInto } from "./lowering.ts";
import { noCounts } from "./merge.ts";
import { countBits, countSequential } from "./oracle.ts";
import type { DeviceLimits, Plan } from "./plan.ts";
import { runs, type SampleArray, type Samples } from "./samples.ts";

/**
 * Core's own backend: `sequential` at the speed of one JavaScript thread and every other algorithm as its
 * paper's step-by-step simulation. It runs wherever JavaScript does and never is unavailable.
 */
export function cpu(): Backend {
  return {
    id: "cpu",
    algorithms: SLUGS,
    probe: async () => ({ available: true, device: DEVICE_NAME }),
    open: async () => new CpuDevice(),
  };
}

const DEVICE_NAME = "1 JavaScript thread";

/** The machine that the references simulate: small enough that blocks, flushes and tails all occur. */
export const SIMULATED: DeviceLimits = {
  kind: "cpu",
  units: 2,
  warp: 32,
  banks: 32,
  sharedBytes: 49_152,
  blockThreads: 1024,
  chunkSamples: REFERENCE_CHUNK,
};

/** Milliseconds of counting after which other work of the thread gets its turn. */
const TURN_MS = 30;

class CpuDevice implements Device {
  readonly name = DEVICE_NAME;
  readonly limits = SIMULATED;
  readonly readsFiles = false;

  refuses(plan: Plan): string | null {
    return plan.algorithm === "multithreaded"
      ? "multithreaded needs worker threads: take the backend of @polybin/core/multithreaded"
      : null;
  }

  async upload(samples: Samples): Promise<Resident> {
    return new HostResident({ ...samples, bytes: samples.bytes.slice() });
  }

  async count(job: CountJob, options: RunOptions): Promise<Partial> {
    const of = samplesOf(job.input);
    const start = performance.now();
    const count = job.plan.algorithm === "sequential" ? sequentialCounter(job) : referenceCounter(job);
    let done = 0;
    const takeTurn = turns();
    for (const run of runs(of, job.plan.algorithm === "sequential" ? STREAM_CHUNK : job.plan.chunkSamples)) {
      count.add(run);
      done += run.length / of.channels;
      options.onProgress?.(done);
      await takeTurn();
      options.signal?.throwIfAborted();
    }
    return {
      channels: count.channels(),
      timings: { readMs: 0, uploadMs: 0, kernelMs: performance.now() - start },
    };
  }

  async extent(input: Input, channels: readonly number[]): Promise<Extent> {
    return extentOf(samplesOf(input), channels);
  }

  async close(): Promise<void> {}
}

/** Samples in this process's own memory, as a resident handle. */
export class HostResident implements Resident {
  #samples: Samples | null;
  readonly type: Samples["type"];
  readonly channels: number;
  readonly pixels: number;

  constructor(samples: Samples) {
    this.#samples = samples;
    this.type = samples.type;
    this.channels = samples.channels;
    this.pixels = samples.pixels;
  }

  /** @throws ERR_INPUT after `free`. */
  get samples(): Samples {
    if (this.#samples === null)
      throw new PolybinError("ERR_INPUT", "expected resident samples but they were freed");
    return this.#samples;
  }

  async free(): Promise<void> {
    this.#samples = null;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.free();
  }
}

/** The samples behind an input of a device that keeps its residents in host memory. */
export function samplesOf(input: Input): Samples {
  if (input.kind === "samples") return input.samples;
  if (input.kind === "resident" && input.resident instanceof HostResident) return input.resident.samples;
  throw new PolybinError(
    "ERR_INPUT",
    "expected samples or a resident of this engine but received something else",
  );
}

interface Counter {
  add(run: SampleArray): void;
  channels(): ChannelCounts[];
}

function sequentialCounter({ axis, channels, input, plan }: CountJob): Counter {
  const stride = samplesOf(input).channels;
  const edges = edgesOf(axis, plan.type);
  if (plan.raw) {
    const tables = channels.map(() => new Float64Array(BYTE_VALUES));
    return {
      add: (run) =>
        channels.forEach((channel, i) => {
          const table = countBits(run, channel, stride);
          for (let value = 0; value < BYTE_VALUES; value++) tables[i]![value]! += table[value]!;
        }),
      channels: () => tables.map((cells) => ({ cells, flow: new Float64Array(3) })),
    };
  }
  const counts = channels.map(() => noCounts(axis.bins));
  return {
    add: (run) =>
      channels.forEach((channel, i) => countSequential(counts[i]!, axis, edges, run, channel, stride)),
    channels: () =>
      counts.map(({ counts: cells, underflow, overflow, nan }) => ({
        cells,
        flow: Float64Array.of(underflow, overflow, nan),
      })),
  };
}

function referenceCounter({ channels, input, lowering, plan }: CountJob): Counter {
  const stride = samplesOf(input).channels;
  const codes = new Uint32Array(plan.chunkSamples);
  const totals = channels.map(() => ({ cells: new Float64Array(plan.cells), flow: new Float64Array(3) }));
  const { reference } = algorithms[plan.algorithm];
  return {
    add: (run) =>
      channels.forEach((channel, i) => {
        const count = plan.raw
          ? rawInto(run, channel, stride, codes)
          : lowerInto(lowering, run, channel, stride, codes);
        const { cells, flow } = totals[i]!;
        const found = codes.subarray(0, count);
        const part = reference(found, plan, plan.cells);
        for (let cell = 0; cell < plan.cells; cell++) cells[cell]! += part[cell]!;
        for (const code of found) if (code >= plan.cells) flow[code - plan.cells]! += 1;
      }),
    channels: () => totals,
  };
}

function rawInto(run: SampleArray, first: number, stride: number, out: Uint32Array): number {
  let count = 0;
  for (let i = first; i < run.length; i += stride) out[count++] = run[i]! & (BYTE_VALUES - 1);
  return count;
}

/** A function to await between pieces of work: it lets timers, aborts and input have the thread now and then. */
function turns(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < TURN_MS) return;
    await new Promise<void>((resolve) => setTimeout(resolve));
    since = performance.now();
  };
}
