import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import {
  type Backend,
  type CountJob,
  checkedThreads,
  checkObject,
  type Device,
  type DeviceLimits,
  type Extent,
  HostResident,
  type Input,
  type Partial,
  PolybinError,
  type Resident,
  type RunOptions,
  type Samples,
  type SampleType,
  samplesOf,
} from "@polybin/core";
import { deviceLimits } from "./device-limits.ts";
import { countJob, extentJob } from "./jobs.ts";
import { KERNELS } from "./kernels/index.ts";
import { Pool } from "./pool.ts";

export interface PiscinaOptions {
  /** Worker threads. Default: as many as the machine runs at once, at most 256. */
  readonly threads?: number;
}

/**
 * A pool of worker threads with WebAssembly kernels (Node). Shared memory is counted in place, other
 * memory is copied in pieces, files are read by the workers themselves in bounded memory.
 * @throws ERR_INPUT for a number of threads that is no whole number of at least 1; ERR_LIMIT past 256.
 */
export function piscina(options: PiscinaOptions = {}): Backend {
  checkObject(options);
  const threads = checkedThreads(options.threads, availableParallelism());
  const device = `${threads} worker${threads === 1 ? "" : "s"}`;
  return {
    id: "piscina",
    algorithms: KERNELS,
    probe: async () => ({ available: true, device }),
    open: async () => new PoolDevice(device, new Pool(threads, await compiledKernels())),
  };
}

async function compiledKernels(): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await readFile(new URL("./kernels.wasm", import.meta.url)));
}

class PoolDevice implements Device {
  readonly name: string;
  readonly limits: DeviceLimits;
  readonly readsFiles = true;
  readonly #pool: Pool;

  constructor(name: string, pool: Pool) {
    this.name = name;
    this.limits = deviceLimits(pool.threads);
    this.#pool = pool;
  }

  /** Shared memory is taken as it is, so do not write to it while it is resident; other memory is copied. */
  async upload(samples: Samples): Promise<Resident> {
    return new HostResident({ ...samples, bytes: shared(samples.bytes) });
  }

  count(job: CountJob, options: RunOptions): Promise<Partial> {
    return this.#pool.job(() => countJob(this.#pool, job, options), options.signal);
  }

  extent(input: Input, channels: readonly number[], options: RunOptions): Promise<Extent> {
    const shape = { type: typeOf(input), channels };
    return this.#pool.job(() => extentJob(this.#pool, input, shape, options), options.signal);
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

function typeOf(input: Input): SampleType {
  return input.kind === "file" ? input.file.type : samplesOf(input).type;
}

function shared(bytes: Uint8Array): Uint8Array {
  if (bytes.buffer instanceof SharedArrayBuffer) return bytes;
  try {
    const copy = new Uint8Array(new SharedArrayBuffer(bytes.byteLength));
    copy.set(bytes);
    return copy;
  } catch (cause) {
    throw new PolybinError(
      "ERR_OUT_OF_MEMORY",
      `expected room for ${bytes.byteLength} bytes of shared memory`,
      {
        backend: "piscina",
        cause,
      },
    );
  }
}
