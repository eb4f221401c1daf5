import { expect } from "vitest";
import {
  algorithms,
  composedAlgorithms,
  type Slug,
  type WeightedSlug,
  weightedAlgorithms,
} from "../src/algorithms/generated/registry.ts";
import {
  type Backend,
  type ChannelsPart,
  type CountJob,
  type Device,
  type EncodeTarget,
  type Kind,
  type Prepared,
  type Preparers,
  preparedBy,
  type RunOptions,
} from "../src/backend/index.ts";
import type { DeviceLimits } from "../src/base/device.ts";
import { type ErrorCode, PolybinError } from "../src/base/errors.ts";
import type { ByteStream } from "../src/input/byte-stream.ts";
import { extentOf } from "../src/input/extent.ts";
import type { Input, Resident } from "../src/input/handed.ts";
import { HostResident, samplesOf } from "../src/input/resident.ts";
import type { SampleArray, SampleType } from "../src/input/sample-types.ts";
import { runs } from "../src/input/samples.ts";
import * as streams from "../src/input/stream.ts";
import { lowerInto } from "../src/lowering/lowering.ts";
import type { PlanColumn, PlanRequest } from "../src/plan/request.ts";

/** Seeded random numbers (mulberry32), the same on every run. */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Reads a stream of one type as an engine does. */
export async function* wholePixels(
  stream: ByteStream,
  type: SampleType,
  channels: number,
  signal?: AbortSignal,
  promised: number | null = null,
): AsyncGenerator<Uint8Array> {
  const typed = await streams.typedStream(stream, type, signal);
  try {
    yield* streams.wholePixels(typed, channels, promised);
  } finally {
    await typed.end();
  }
}

/** Runs work that must throw a coded error, and returns the error. */
export function errorOf(work: () => unknown): PolybinError {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(PolybinError);
    return error as PolybinError;
  }
  throw new Error("expected a coded error but nothing was thrown");
}

/** Awaits work that must reject with a coded error, and returns the error. */
export async function rejectionOf(work: Promise<unknown>): Promise<PolybinError> {
  const error = await work.then(
    () => new Error("expected a coded error but the promise was fulfilled"),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(PolybinError);
  return error as PolybinError;
}

/** Checks the code of a thrown error, and that its message contains all parts. */
export function expectError(work: () => unknown, code: ErrorCode, ...parts: readonly string[]): void {
  const error = errorOf(work);
  expect(error.code).toBe(code);
  for (const part of parts) expect(error.message).toContain(part);
}

const ARRAYS = {
  u8: Uint8Array,
  i8: Int8Array,
  u16: Uint16Array,
  i16: Int16Array,
  u32: Uint32Array,
  i32: Int32Array,
  f32: Float32Array,
  f64: Float64Array,
} satisfies globalThis.Partial<Record<SampleType, unknown>>;

/** Returns a typed array of the type with these values. */
export function arrayOf(type: SampleType, values: Iterable<number>): SampleArray {
  return new ARRAYS[type as keyof typeof ARRAYS](values);
}

/** Returns the next f32 or f64 above (`up`) or below a value. */
export function neighbour(type: "f32" | "f64", value: number, up: boolean): number {
  if (value === 0) return (up ? 1 : -1) * (type === "f32" ? 2 ** -149 : 2 ** -1074);
  if (!Number.isFinite(value)) return value;
  const away = value > 0 === up;
  if (type === "f32") {
    const view = new DataView(new ArrayBuffer(4));
    view.setFloat32(0, value);
    view.setUint32(0, view.getUint32(0) + (away ? 1 : -1));
    return view.getFloat32(0);
  }
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  view.setBigUint64(0, view.getBigUint64(0) + (away ? 1n : -1n));
  return view.getFloat64(0);
}

/** Counts how often each cell occurs among codes. Other codes are skipped. */
export function tally(codes: Iterable<number>, cells: number): Float64Array {
  const out = new Float64Array(cells);
  for (const code of codes) if (code < cells) out[code]! += 1;
  return out;
}

/** Limits of a GPU for tests of plans. */
export function gpu(changes: globalThis.Partial<DeviceLimits> = {}): DeviceLimits {
  return {
    kind: "gpu",
    units: 3,
    warp: 32,
    banks: 32,
    sharedBytes: 49_152,
    blockThreads: 1024,
    chunkSamples: 2 ** 31,
    ...changes,
  };
}

/** Limits of a pool of workers. */
export function workers(changes: globalThis.Partial<DeviceLimits> = {}): DeviceLimits {
  return gpu({ kind: "workers", units: 5, warp: 2, banks: 4, sharedBytes: 2 ** 20, ...changes });
}

/** A job and its input. */
export interface Counted extends CountJob {
  readonly input: Input;
}

/** Creates a request of one column. Default: 10^6 samples of `u8`. */
export interface ColumnOf
  extends globalThis.Partial<Omit<PlanRequest, "column">>,
    globalThis.Partial<PlanColumn> {}

export function planRequest(
  algorithm: string,
  { type = "u8", lowering = { kind: "table", bins: 256, flow: true }, lookup, ...rest }: ColumnOf = {},
): PlanRequest {
  return { algorithm, column: { type, lowering, lookup }, samples: 10 ** 6, channels: 1, ...rest };
}

/** Returns the algorithms of some slugs. */
export function named(...slugs: readonly Slug[]): Backend["algorithms"] {
  return slugs.map((slug) => algorithms[slug]);
}

/** Returns the weighted algorithms of some slugs. */
export function weighing(...slugs: readonly WeightedSlug[]): NonNullable<Backend["weighted"]> {
  const all = { ...weightedAlgorithms, ...composedAlgorithms };
  return slugs.map((slug) => all[slug]);
}

/** Changes of a test to the fake backend. */
export interface Fake extends globalThis.Partial<Omit<Device, "name" | "prepare" | "kinds">> {
  /** How jobs of some kinds are prepared. Default: the fake counts channels. */
  readonly preparers?: Preparers;
  readonly id?: string;
  readonly algorithms?: Backend["algorithms"];
  /** The reason why the backend is not available. */
  readonly unavailable?: string;
  /** Whether it is a GPU that the CPU emulates. */
  readonly software?: boolean;
  /** Called at each count. It may change the device's result. */
  readonly counted?: (honest: ChannelsPart, job: Counted) => ChannelsPart | Promise<ChannelsPart>;
  /** Counts instead of the fake. */
  readonly count?: (job: Counted, options: RunOptions) => Promise<ChannelsPart>;
  /** Abilities of a job other than counting one input. `honest` counts. */
  readonly more?: (
    job: CountJob,
    honest: (input: Input) => ChannelsPart,
  ) => globalThis.Partial<Pick<Prepared, "countSync" | "countAll" | "accumulator">>;
  /** Records into an encoder. Absent: the fake has no encoders. */
  readonly encode?: (job: CountJob & EncodeTarget, options: RunOptions) => Promise<void>;
}

/** A backend that counts correctly by default and records the calls to it. */
export class FakeBackend implements Backend {
  readonly id: string;
  readonly algorithms: Backend["algorithms"];
  readonly jobs: Counted[] = [];
  /** The jobs that were prepared. */
  readonly prepared: CountJob[] = [];
  /** The calls, in order. */
  readonly record: string[] = [];
  readonly #fake: Fake;

  constructor(fake: Fake = {}) {
    this.id = fake.id ?? "fake";
    this.algorithms = fake.algorithms ?? named("global", "per-lane");
    this.#fake = fake;
  }

  async probe(): ReturnType<Backend["probe"]> {
    const { unavailable, software } = this.#fake;
    return unavailable === undefined
      ? { available: true, device: "a fake", ...(software === undefined ? {} : { software }) }
      : { available: false, reason: unavailable };
  }

  async open(): Promise<Device> {
    const { record, jobs, prepared } = this;
    const {
      counted = (honest) => honest,
      count = async (job) => {
        record.push("count");
        jobs.push(job);
        return counted(honestCount(job), job);
      },
      encode,
      more = () => ({}),
      id: _id,
      algorithms: _algorithms,
      software: _software,
      preparers,
      ...changes
    } = this.#fake;
    record.push("open");
    const channels = (job: CountJob): Prepared => {
      prepared.push(job);
      return {
        launch: { kernel: job.plan.algorithm },
        count: (input, options) => count({ ...job, input }, options),
        ...more(job, (input) => honestCount({ ...job, input })),
        ...(encode && { encode: (target, options) => encode({ ...job, ...target }, options) }),
      };
    };
    const all: Preparers = { channels, ...preparers };
    return {
      name: "a fake",
      limits: gpu(),
      readsFiles: false,
      async upload(samples) {
        record.push("upload");
        return new RecordedResident(record, { ...samples, bytes: samples.bytes.slice() });
      },
      kinds: Object.keys(all) as Kind[],
      prepare: (job) => preparedBy(all, job),
      encodes: encode !== undefined,
      async extent(input, channels) {
        record.push("extent");
        return extentOf(samplesOf(input), channels);
      },
      async close() {
        record.push("close");
      },
      ...changes,
    };
  }
}

class RecordedResident extends HostResident implements Resident {
  readonly #record: string[];

  constructor(record: string[], samples: ConstructorParameters<typeof HostResident>[0]) {
    super(samples);
    this.#record = record;
  }

  override async free(): Promise<void> {
    this.#record.push("free");
    await super.free();
  }
}

function honestCount({ input, channels, lowering, plan }: Counted): ChannelsPart {
  const of = samplesOf(input);
  const counted = channels.map((channel) => {
    const cells = new Float64Array(plan.cells);
    const flow = new Float64Array(3);
    for (const run of runs(of, of.pixels)) {
      const codes = new Uint32Array(run.length);
      if (plan.raw) for (let i = channel; i < run.length; i += of.channels) cells[run[i]! & 255]! += 1;
      else {
        const count = lowerInto(lowering, run, channel, of.channels, codes);
        for (const code of codes.subarray(0, count)) {
          if (code < plan.cells) cells[code]! += 1;
          else flow[code - plan.cells]! += 1;
        }
      }
    }
    return { cells, flow };
  });
  return { channels: counted, timings: { readMs: 1, uploadMs: 2, kernelMs: 4 } };
}
