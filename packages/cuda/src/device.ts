import { type FileHandle, open } from "node:fs/promises";
import {
  bytesFrom,
  type CountJob,
  type Device,
  type DeviceLimits,
  type ErrorCode,
  type Extent,
  type Input,
  isPolybinError,
  NO_EXTENT,
  type Partial,
  type Plan,
  PolybinError,
  type Resident,
  type RunOptions,
  SAMPLE_TRAITS,
  SAMPLE_TYPES,
  type Samples,
  type SampleType,
  valueOfKey,
} from "@polybin/core";
import { nativeLowering } from "./lowering.ts";
import type { Context, NativeControl, NativePlan, NativeSource } from "./native.ts";

/** Milliseconds between two reports of progress. */
const PROGRESS_MS = 50;
const LAYOUTS = ["row", "column", "interleaved"] as const;

/** A CUDA device as an engine uses it. */
export class CudaDevice implements Device {
  readonly name: string;
  readonly limits: DeviceLimits;
  readonly readsFiles = true;
  readonly #context: Context;
  /** Frees the memory of residents that were forgotten. */
  readonly #forgotten: FinalizationRegistry<number>;

  constructor(name: string, limits: DeviceLimits, context: Context) {
    this.name = name;
    this.limits = limits;
    this.#context = context;
    this.#forgotten = new FinalizationRegistry((id) => void context.free(id).catch(() => {}));
  }

  async upload(samples: Samples, options: RunOptions): Promise<Resident> {
    const source = sourceOfSamples(samples);
    const id = await talk(options, (control) => this.#context.upload({ source, control }));
    const resident = new CudaResident(samples, id, (freed) => this.#context.free(freed));
    this.#forgotten.register(resident, id, resident);
    return resident;
  }

  async count(job: CountJob, options: RunOptions): Promise<Partial> {
    const { plan, channels } = job;
    const { counts, kernelMs, uploadMs } = await withSource(job.input, (source, { type, interleaved }) =>
      talk(options, (control) =>
        this.#context.count({
          source,
          wanted: { type: SAMPLE_TYPES.indexOf(type), interleaved, channels },
          lowering: nativeLowering(job.lowering, plan),
          plan: nativePlan(plan),
          algorithm: plan.algorithm,
          launchPixels: plan.chunkSamples,
          control,
        }),
      ),
    );
    const size = plan.cells + 3;
    return {
      channels: channels.map((_, i) => ({
        cells: counts.subarray(i * size, i * size + plan.cells),
        flow: counts.subarray(i * size + plan.cells, (i + 1) * size),
      })),
      timings: { readMs: 0, uploadMs, kernelMs },
    };
  }

  async extent(input: Input, channels: readonly number[], options: RunOptions): Promise<Extent> {
    return withSource(input, async (source, { type, interleaved }) => {
      const wanted = { type: SAMPLE_TYPES.indexOf(type), interleaved, channels };
      const { min, max } = await talk(options, (control) =>
        this.#context.extent({ source, wanted, control }),
      );
      return min > max ? NO_EXTENT : { min: valueOfKey(type, min), max: valueOfKey(type, max) };
    });
  }

  async close(): Promise<void> {
    await this.#context.close();
  }
}

/** Samples in the memory of a device. */
class CudaResident implements Resident {
  readonly type: SampleType;
  readonly channels: number;
  readonly pixels: number;
  #id: number;
  readonly #free: (id: number) => Promise<void>;

  constructor({ type, channels, pixels }: Samples, id: number, free: (id: number) => Promise<void>) {
    this.type = type;
    this.channels = channels;
    this.pixels = pixels;
    this.#id = id;
    this.#free = free;
  }

  /** Number of the memory; 0 when it was freed. */
  get id(): number {
    return this.#id;
  }

  get freed(): boolean {
    return this.#id === 0;
  }

  async free(): Promise<void> {
    const id = this.#id;
    this.#id = 0;
    if (id !== 0) await this.#free(id);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.free();
  }
}

interface Shape {
  readonly type: SampleType;
  readonly interleaved: number;
}

/**
 * Host memory as the addon reads it while JavaScript goes on: what can shrink meanwhile is copied first.
 * @throws ERR_INPUT where the memory is gone.
 */
function sourceOfSamples({ type, channels, bytes, width, height, rowPitch, pixels }: Samples): NativeSource {
  const pixelBytes = SAMPLE_TRAITS[type].bytes * channels;
  const length = pixels === 0 ? 0 : (height - 1) * rowPitch + width * pixelBytes;
  const there = bytesFrom(bytes, 0, length);
  const { buffer } = there;
  const shrinks = buffer instanceof ArrayBuffer && buffer.resizable;
  return { bytes: shrinks ? there.slice() : there, pixels, width, rowPitch, pixelBytes };
}

/** Opens what an input stands for, for as long as `use` takes. */
async function withSource<T>(
  input: Input,
  use: (source: NativeSource, shape: Shape) => Promise<T>,
): Promise<T> {
  if (input.kind === "samples") {
    const { type, channels } = input.samples;
    return use(sourceOfSamples(input.samples), { type, interleaved: channels });
  }
  if (input.kind === "resident") {
    if (!(input.resident instanceof CudaResident)) throw foreign();
    const { id, type, channels, pixels } = input.resident;
    const pixelBytes = SAMPLE_TRAITS[type].bytes * channels;
    return use(
      { resident: id, pixels, pixelBytes, width: pixels, rowPitch: pixels * pixelBytes },
      { type, interleaved: channels },
    );
  }
  const { path, type, channels, offset, pixels } = input.file;
  const pixelBytes = SAMPLE_TRAITS[type].bytes * channels;
  const file = await openFile(path);
  try {
    const stat = await file.stat();
    if (!stat.isFile()) throw new PolybinError("ERR_INPUT", `expected a regular file but ${path} is none`);
    if (stat.size < offset + pixels * pixelBytes) {
      throw new PolybinError(
        "ERR_INPUT",
        `expected ${offset + pixels * pixelBytes} bytes in ${path} but it has ${stat.size}`,
      );
    }
    return await use(
      { fd: file.fd, offset, pixels, pixelBytes, width: pixels, rowPitch: pixels * pixelBytes },
      { type, interleaved: channels },
    );
  } finally {
    await file.close();
  }
}

function foreign(): PolybinError {
  return new PolybinError("ERR_INPUT", "expected a resident that this engine uploaded", { backend: "cuda" });
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, "r");
  } catch (cause) {
    throw new PolybinError("ERR_INPUT", `cannot read ${path}: ${(cause as Error).message}`, {
      backend: "cuda",
      cause,
    });
  }
}

function nativePlan(plan: Plan): NativePlan {
  return {
    cells: plan.cells,
    cellsPerPass: plan.cellsPerPass,
    passes: plan.passes,
    threads: plan.threads,
    blocks: plan.blocks,
    replicas: plan.replicas,
    sharedBytes: plan.sharedBytes,
    wordsPerThread: plan.wordsPerThread ?? 0,
    k: plan.k ?? 0,
    tag: plan.collisions === "tag",
    periodic: plan.merge === "periodic",
    layout: LAYOUTS.indexOf(plan.layout ?? "interleaved"),
  };
}

/** Runs a call that can be stopped and watched while it goes on, and gives its errors their codes. */
async function talk<T>(
  { signal, onProgress }: RunOptions,
  call: (control: NativeControl) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const control = {
    stop: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
    done: new BigInt64Array(new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT)),
  };
  const abort = () => Atomics.store(control.stop, 0, 1);
  signal?.addEventListener("abort", abort, { once: true });
  const timer =
    onProgress && setInterval(() => onProgress(Number(Atomics.load(control.done, 0))), PROGRESS_MS);
  try {
    return await call(control);
  } catch (error) {
    signal?.throwIfAborted();
    throw coded(error);
  } finally {
    clearInterval(timer);
    signal?.removeEventListener("abort", abort);
  }
}

function coded(error: unknown): unknown {
  if (isPolybinError(error) || !(error instanceof Error) || !("code" in error)) return error;
  return new PolybinError(error.code as ErrorCode, error.message, { backend: "cuda", cause: error });
}
