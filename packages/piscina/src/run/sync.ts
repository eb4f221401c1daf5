import { PolybinError } from "@polybin/core";
import { bytesFrom, type Input, type Partial, type RunOptions, samplesOf } from "@polybin/core/backend";
import { channelCounter } from "../counting/index.ts";
import { instantiate, type Wasm, WORKER_CHUNK_BYTES } from "../platform/index.ts";
import { Chunks, type Geometry, geometryOf } from "../task/index.ts";
import type { Shape } from "./part.ts";
import { SharedTables } from "./shared-tables.ts";
import { Totals } from "./totals.ts";
import type { OwnWork } from "./work.ts";

/** Counts on the calling thread, by the workers' kernels in a memory of its own, without a pool. */
export class Counting {
  readonly #module: WebAssembly.Module;
  readonly #instances: Instance[] = [];

  constructor(module: WebAssembly.Module) {
    this.#module = module;
  }

  /** @throws ERR_UNSUPPORTED for files, ERR_INPUT where the samples' memory is gone, the signal's reason. */
  count(input: Input, work: OwnWork, { channels }: Shape, { signal, onProgress }: RunOptions): Partial {
    signal?.throwIfAborted();
    if (input.kind === "file") {
      throw new PolybinError(
        "ERR_UNSUPPORTED",
        "files are read by workers, and so not before the call returns: await it",
        {
          backend: "piscina",
        },
      );
    }
    const samples = samplesOf(input);
    const geometry = geometryOf(samples);
    const most = Math.floor(WORKER_CHUNK_BYTES / geometry.pixelBytes);
    const { plan } = work;
    const totals = new Totals(channels.length, plan.cells);
    const chunks = new Chunks(geometry, most);
    const perLaunch = Math.max(1, Math.floor(plan.chunkSamples / most));
    try {
      for (let from = 0; from < chunks.count; from += perLaunch) {
        const shared = new SharedTables(plan, channels.length, 1);
        const tables = shared.of(0);
        const counters = channels.map((channel, i) =>
          channelCounter(this.#instance(i).wasm, work, {
            channel,
            interleaved: samples.channels,
            shared: tables?.[i] ?? null,
          }),
        );
        const to = Math.min(chunks.count, from + perLaunch);
        for (let index = from; index < to; index++) {
          counters.forEach((counter, i) => {
            counter.add(copyChunk(samples.bytes, geometry, chunks, index, this.#instance(i).chunk));
          });
        }
        counters.forEach((counter, i) => {
          totals.add(i, counter.finish());
        });
        for (const set of shared.sets) totals.addTables(set);
      }
    } catch (error) {
      // Whatever a chunk left half counted must not show up in the next call.
      for (const { wasm } of this.#instances) wasm.reset();
      throw error;
    }
    onProgress?.(samples.pixels);
    return { channels: totals.channels(), timings: NO_TIMINGS };
  }

  /** Each channel has a memory of its own. */
  #instance(channel: number): Instance {
    let instance = this.#instances[channel];
    if (instance === undefined) {
      const wasm = instantiate(this.#module);
      instance = { wasm, chunk: new Uint8Array(wasm.memory.buffer, wasm.chunk, WORKER_CHUNK_BYTES) };
      this.#instances[channel] = instance;
    }
    return instance;
  }
}

interface Instance {
  readonly wasm: Wasm;
  /** Where its samples come to. */
  readonly chunk: Uint8Array;
}

const NO_TIMINGS = Object.freeze({ readMs: 0, uploadMs: 0, kernelMs: 0 });

/** @returns pixels of the chunk @throws ERR_INPUT where the memory is gone */
function copyChunk(
  bytes: Uint8Array,
  { rowPitch, pixelBytes }: Geometry,
  chunks: Chunks,
  index: number,
  to: Uint8Array,
): number {
  const { row, rows, column, columns } = chunks.at(index);
  const rowBytes = columns * pixelBytes;
  const { buffer, byteOffset, byteLength } = bytes;
  // Buffer's copy from shared memory is faster than `set`; from other memory it is the other way round.
  const shared = buffer instanceof SharedArrayBuffer ? Buffer.from(buffer, byteOffset, byteLength) : null;
  for (let i = 0; i < rows; i++) {
    const from = (row + i) * rowPitch + column * pixelBytes;
    if (shared === null) to.set(bytesFrom(bytes, from, rowBytes), i * rowBytes);
    else shared.copy(to, i * rowBytes, from, from + rowBytes);
  }
  return rows * columns;
}
