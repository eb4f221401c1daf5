import { algorithms, composedAlgorithms, type Slug, weightedAlgorithms } from "../algorithms/index.ts";
import type {
  Backend,
  CellsInputs,
  CellsJob,
  ChannelsPart,
  CountJob,
  Device,
  JobOf,
  Kind,
  Prepared,
  PreparedCells,
  PreparedOf,
  PreparedSegments,
  PreparedSums,
  Preparers,
  RunOptions,
  SegmentsJob,
  SumsJob,
} from "../backend/index.ts";
import { preparedBy } from "../backend/index.ts";
import {
  checkNames,
  type DeviceLimits,
  expected,
  loadedOnce,
  ownOptions,
  REFERENCE_CHUNK,
  STEP_BYTES,
  Turns,
} from "../base/index.ts";
import {
  arrayOver,
  type Extent,
  extentOfRun,
  HostResident,
  HostTable,
  type Input,
  joinExtents,
  NO_EXTENT,
  type Resident,
  type ResidentTable,
  runs,
  SAMPLE_TRAITS,
  type SampleArray,
  type Samples,
  samplesOf,
  type TableValues,
} from "../input/index.ts";
import type { Algorithm, ComposedAlgorithm, Reference, WeightedAlgorithm } from "../plan/index.ts";
import { isMethod } from "../plan/index.ts";
import { type Counter, rawCounters } from "./counting.ts";
import { type Kernel, SIMULATION, simulationOf } from "./kernel.ts";
import { LOOP, sequential } from "./kernels/sequential.ts";
import { SYNC_BYTES } from "./limits.ts";

const jointly = loadedOnce(() => import("./joint.ts"));
/** What counts several columns, once it is loaded. */
let joint: Awaited<ReturnType<typeof jointly>> | null = null;

async function loadJoint(): Promise<void> {
  joint ??= await jointly();
}

const segmenting = loadedOnce(() => import("./segments.ts"));
const summing = loadedOnce(() => import("./sums.ts"));

/** Options of core's CPU backend. */
export interface CpuOptions {
  /** Third-party algorithms, simulated by their `reference`. Their parameters become options of the calls. */
  readonly algorithms?: readonly Algorithm[] | undefined;
  /** Third-party weighted algorithms. */
  readonly weighted?: readonly WeightedAlgorithm[] | undefined;
}

/**
 * Creates core's CPU backend. It runs `sequential` on one JavaScript thread, and every other algorithm as a
 * step-by-step simulation of its paper. It is available wherever JavaScript runs.
 * @throws ERR_INPUT for an unknown option, or a value that is not an algorithm.
 */
export function cpu(options: CpuOptions = {}): Backend {
  const helps = "cpu has one thread; use multithreaded from @polybin/core/multithreaded for more";
  if (typeof options !== "object") throw expected("ERR_INPUT", "options", "an object", options, { helps });
  const given = ownOptions(options);
  checkNames(given, ["algorithms", "weighted"], {
    advice: (name) => (name === "threads" || name === "workers" ? helps : null),
  });
  const own = checkedOwn(given.algorithms ?? [], "algorithms");
  const weighted = [...WEIGHTED, ...checkedOwn(given.weighted ?? [], "weighted")];
  // Forking needs worker threads, which only `@polybin/core/multithreaded` has.
  const all = [...Object.values(algorithms), ...own].filter(({ forks = false }) => !forks);
  return {
    id: "cpu",
    algorithms: all,
    weighted,
    probe: async () => ({ available: true, device: DEVICE_NAME }),
    open: async () => new CpuDevice(all, weighted),
  };
}

/** @throws ERR_INPUT unless each has a slug, parameters, a launch rule and a reference. */
function checkedOwn<T extends Algorithm | WeightedAlgorithm>(
  given: readonly T[],
  name: string,
): readonly T[] {
  if (!Array.isArray(given)) throw expected("ERR_INPUT", name, "an array of algorithms", given);
  for (const [i, one] of given.entries()) {
    const { slug, parameters, launch, reference } = Object(one) as Partial<Algorithm>;
    const isOne =
      typeof slug === "string" &&
      typeof parameters === "object" &&
      parameters !== null &&
      typeof launch === "function" &&
      typeof reference === "function";
    if (!isOne) {
      const what = "an algorithm (an object with slug, parameters, launch and reference)";
      throw expected("ERR_INPUT", `${name}[${i}]`, what, one);
    }
  }
  return given;
}

/** All weighted algorithms. */
export const WEIGHTED: readonly (WeightedAlgorithm | ComposedAlgorithm)[] = [
  ...Object.values(weightedAlgorithms),
  ...Object.values(composedAlgorithms),
];

type PreparedSync = Required<Pick<Prepared, "launch" | "count" | "countSync">>;

const SEQUENTIAL = algorithms.sequential.slug;

const DEVICE_NAME = "1 JavaScript thread";

/** The machine that the references simulate. It is small, so that multiple blocks, flushes and tails all occur. */
export const SIMULATED: DeviceLimits = {
  kind: "cpu",
  units: 2,
  warp: 32,
  banks: 32,
  sharedBytes: 49_152,
  blockThreads: 1024,
  chunkSamples: REFERENCE_CHUNK,
};

/** The device of core's CPU backend. */
export class CpuDevice implements Device {
  readonly name: string = DEVICE_NAME;
  readonly limits: DeviceLimits = SIMULATED;
  readonly readsFiles = false;
  readonly syncBytes: number = SYNC_BYTES;
  readonly kinds: readonly Kind[] = ["channels", "segments", "cells", "sums"];
  readonly #algorithms: readonly Algorithm[];
  readonly #methods: readonly WeightedAlgorithm[];
  readonly #preparers: Preparers = {
    channels: (job) => this.channels(job),
    segments: (job) => this.#segments(job),
    cells: (job) => this.#cells(job),
    sums: (job) => this.#sums(job),
  };

  constructor(
    algorithms: readonly Algorithm[],
    weighted: readonly (WeightedAlgorithm | ComposedAlgorithm)[] = WEIGHTED,
  ) {
    this.#algorithms = algorithms;
    this.#methods = weighted.filter(isMethod);
  }

  async upload(samples: Samples): Promise<Resident> {
    return new HostResident({ ...samples, bytes: samples.bytes.slice() });
  }

  prepare<K extends Kind>(job: JobOf<K>): PreparedOf<K> {
    return preparedBy(this.#preparers, job);
  }

  protected channels(job: CountJob): Prepared {
    const { algorithm, raw } = job.plan;
    if (algorithm === SEQUENTIAL) {
      return raw ? prepared(job, sequential(rawCounters)) : preparedLater(job, LOOP, loops);
    }
    const { reference } = this.#algorithms.find(({ slug }) => slug === algorithm)!;
    // Core's own algorithms have none: their simulations have to be loaded.
    if (reference === undefined) return preparedLater(job, SIMULATION, simulationsOf(algorithm as Slug));
    return prepared(job, simulationOf(algorithm, reference));
  }

  #segments(job: SegmentsJob): PreparedSegments {
    const { algorithm } = job.plan;
    // Core's own algorithms count rows directly. Other algorithms that count segments are simulated.
    const isCores = Object.hasOwn(algorithms, algorithm);
    const found = isCores ? null : this.#algorithms.find(({ slug }) => slug === algorithm)!.reference!;
    return {
      launch: Object.freeze({ kernel: found === null ? "rows" : "simulation" }),
      count: async (...call) => (await segmenting()).countOnHost(job, found, ...call),
      leave: async (...call) => (await segmenting()).leaveOnHost(job, found, ...call),
    };
  }

  #cells(job: CellsJob): PreparedCells {
    const { algorithm } = job.plan;
    const isPlain = algorithm === SEQUENTIAL;
    const { reference } = this.#algorithms.find(({ slug }) => slug === algorithm)!;
    const steps = async (): Promise<Reference> => {
      if (reference === undefined) await loadSimulations();
      return reference ?? simulations![algorithm as Slug];
    };
    return {
      launch: isPlain ? Object.freeze({ kernel: "cells" }) : Object.freeze({ ...SIMULATION }),
      ready: loadJoint,
      count: async (inputs, options) =>
        (await jointly()).countJoint(job, isPlain ? null : await steps(), inputs, options),
      get countSync() {
        return isPlain && joint !== null
          ? (inputs: CellsInputs) => joint!.countJointNow(job, inputs)
          : undefined;
      },
    };
  }

  async extent(input: Input, channels: readonly number[], options: RunOptions): Promise<Extent> {
    const of = samplesOf(input);
    let extent = NO_EXTENT;
    await inTurns(of, stepOf(of), options, (run) => {
      extent = joinExtents(extent, extentOfRun(run, of.channels, channels));
    });
    return extent;
  }

  async uploadTable(values: TableValues): Promise<ResidentTable> {
    return new HostTable(values);
  }

  #sums(job: SumsJob): PreparedSums {
    const methods = this.#methods;
    return {
      launch: Object.freeze({
        features: job.groups.reduce((sum, { features }) => sum + features.length, 0),
      }),
      count: async (...call) => (await summing()).sumOnHost(job, methods, ...call),
    };
  }

  async close(): Promise<void> {}
}

/** Prepares a job for a kernel that is loaded. */
function prepared(job: CountJob, kernel: Kernel): PreparedSync {
  const stepOf = (of: Samples): number => kernel.stepPixels(of, job.plan.chunkSamples);
  const newCounter = kernel.counters({ ...job, stride: job.interleaved });
  return {
    launch: Object.freeze({ ...kernel.launch }),
    async count(input, options) {
      const of = samplesOf(input);
      const since = options.timed ? performance.now() : null;
      const counter = newCounter();
      await inTurns(of, stepOf(of), options, (run) => counter.add(run));
      return partOf(counter, since);
    },
    countSync(input, { timed }) {
      const of = samplesOf(input);
      const since = timed ? performance.now() : null;
      const counter = newCounter();
      const step = stepOf(of);
      // A single run avoids most of the cost of the generator.
      const whole = of.dense && of.pixels <= step && of.bytes.byteLength === of.height * of.rowPitch;
      if (whole) counter.add(arrayOver(of.type, of.bytes));
      else for (const run of runs(of, step)) counter.add(run);
      return partOf(counter, since);
    },
  };
}

/** A kernel that is loaded when it first runs. */
interface LaterKernel {
  load(): Promise<void>;
  /** Null: it is not loaded yet. */
  kernel(): Kernel | null;
}

/** The simulations of core's own algorithms, once they are loaded. */
let simulations: Readonly<Record<Slug, Reference>> | null = null;

async function loadSimulations(): Promise<void> {
  simulations ??= (await import("./simulations.ts")).references;
}

const simulationsOf = (slug: Slug): LaterKernel => ({
  load: loadSimulations,
  kernel: () => simulations && simulationOf(slug, simulations[slug]),
});

/** The loops over samples of more than a byte, once they are loaded. */
let loopKernel: Kernel | null = null;
const looping = loadedOnce(() => import("./loops/index.ts"));

const loops: LaterKernel = {
  async load() {
    loopKernel ??= sequential((await looping()).loopCounters);
  },
  kernel: () => loopKernel,
};

/** Prepares a job for a kernel that the first call loads. */
function preparedLater(job: CountJob, launch: Kernel["launch"], { load, kernel }: LaterKernel): Prepared {
  let loaded: PreparedSync | null = null;
  const now = (): PreparedSync | null => {
    const found = loaded === null ? kernel() : null;
    if (found !== null) loaded = prepared(job, found);
    return loaded;
  };
  return {
    launch: Object.freeze({ ...launch }),
    ready: load,
    async count(input, options) {
      await load();
      return now()!.count(input, options);
    },
    get countSync() {
      return now()?.countSync;
    },
  };
}

const NO_TIMINGS: ChannelsPart["timings"] = Object.freeze({ readMs: 0, uploadMs: 0, kernelMs: 0 });

/** Returns the counts of a counter. @param since when it began; null: no timings were requested */
function partOf(counter: Counter, since: number | null): ChannelsPart {
  const timings =
    since === null ? NO_TIMINGS : { readMs: 0, uploadMs: 0, kernelMs: performance.now() - since };
  return { channels: counter.channels(), timings };
}

/** Returns the pixels of a step that keeps the thread responsive. */
function stepOf({ type, channels }: Samples): number {
  return Math.floor(STEP_BYTES / (SAMPLE_TRAITS[type].bytes * channels));
}

/** Processes samples in steps of at most `most` pixels. Timers, aborts and input get the thread between steps. */
async function inTurns(
  of: Samples,
  most: number,
  { signal, onProgress }: RunOptions,
  work: (run: SampleArray) => void,
): Promise<void> {
  const turns = new Turns(signal);
  let done = 0;
  for (const run of runs(of, most)) {
    work(run);
    done += run.length / of.channels;
    onProgress?.(done);
    await turns.next();
  }
}
