import { PolybinError } from "@polybin/core";
import {
  bytesFrom,
  type ChannelCounts,
  type Input,
  type RunOptions,
  type Samples,
  samplesOf,
} from "@polybin/core/backend";
import { channelCounter, visibleCounters } from "../counting/index.ts";
import { kernelOf } from "../kernels/index.ts";
import {
  instantiate,
  VisibleInstances,
  visibleOf,
  type Wasm,
  WORKER_CHUNK_BYTES,
} from "../platform/index.ts";
import { type Chunk, Chunks, type Geometry, geometryOf } from "../task/index.ts";
import type { Shape } from "./part.ts";
import type { Modules } from "./pool.ts";
import { SharedTables } from "./shared-tables.ts";
import { Totals } from "./totals.ts";
import type { OwnWork } from "./work.ts";

/** Counts on the calling thread without a pool. It uses the workers' kernels in its own memory. */
export class Counting {
  readonly #module: WebAssembly.Module;
  readonly #visible: VisibleInstances;
  readonly #instances: Instance[] = [];

  constructor({ module, where }: Modules) {
    this.#module = module;
    this.#visible = new VisibleInstances(where);
  }

  /**
   * Counts samples and returns the counts of each channel.
   * @throws ERR_UNSUPPORTED for files.
   * @throws ERR_INPUT if the samples' memory no longer exists.
   * @throws the signal's reason if the call was aborted.
   */
  count(
    input: Input,
    work: OwnWork,
    { channels }: Shape,
    { signal, onProgress }: RunOptions,
  ): ChannelCounts[] {
    signal?.throwIfAborted();
    if (input.kind === "file") {
      throw new PolybinError(
        "ERR_UNSUPPORTED",
        "piscina cannot read files synchronously: await count instead",
        {
          backend: "piscina",
        },
      );
    }
    const samples = samplesOf(input);
    try {
      const counts = this.#countSamples(samples, work, channels);
      onProgress?.(samples.pixels);
      return counts;
    } catch (error) {
      // Counts of an incomplete chunk must not appear in the next call.
      for (const { wasm } of this.#instances) wasm.reset();
      throw error;
    }
  }

  /** Forgets the instances of a closed pool, which are megabytes each. */
  clear(): void {
    this.#instances.length = 0;
  }

  #countSamples(samples: Samples, work: OwnWork, channels: readonly number[]): ChannelCounts[] {
    const { plan } = work;
    const interleaved = samples.channels;
    const geometry = geometryOf(samples);
    // The size comes from the samples' description, because their memory may no longer exist.
    const bytes = samples.pixels * geometry.pixelBytes;
    if (samples.dense && bytes <= WORKER_CHUNK_BYTES && kernelOf(plan).sharing === undefined) {
      // Small inputs are one chunk, so nothing is cut or added up.
      return channels.map((channel, i) => {
        const { wasm, chunk } = this.#instance(i);
        const counter = channelCounter(wasm, work, { channel, interleaved, shared: null });
        copyRows(samples.bytes, 0, bytes, 1, 0, chunk);
        counter.add(samples.pixels);
        const { cells, flow } = counter.finish();
        return { cells: cells!, flow };
      });
    }
    const lying = this.#countWhereTheyLie(samples, geometry, work, channels);
    if (lying !== null) return lying;
    const most = Math.floor(WORKER_CHUNK_BYTES / geometry.pixelBytes);
    const totals = new Totals(channels.length, plan.cells);
    const chunks = new Chunks(geometry, most);
    const perLaunch = Math.max(1, Math.floor(plan.chunkSamples / most));
    for (let from = 0; from < chunks.count; from += perLaunch) {
      const tables = new SharedTables(plan, channels.length, 1);
      const counters = channels.map((channel, i) => {
        const shared = tables.of(0)?.[i] ?? null;
        return channelCounter(this.#instance(i).wasm, work, { channel, interleaved, shared });
      });
      const to = Math.min(chunks.count, from + perLaunch);
      for (let index = from; index < to; index++) {
        counters.forEach((counter, i) => {
          counter.add(copyChunk(samples.bytes, geometry, chunks.at(index), this.#instance(i).chunk));
        });
      }
      counters.forEach((counter, i) => {
        totals.add(i, counter.finish());
      });
      for (const set of tables.sets) totals.addTables(set);
    }
    return totals.channels();
  }

  /** Counts samples in place. @returns null if a copy is needed */
  #countWhereTheyLie(
    { bytes, channels: interleaved }: Samples,
    { width, height, rowPitch }: Geometry,
    work: OwnWork,
    channels: readonly number[],
  ): ChannelCounts[] | null {
    const visible = visibleOf(bytes.buffer);
    if (visible === null || width * height > work.plan.chunkSamples) return null;
    const counters = visibleCounters(this.#visible, visible, work, channels, interleaved);
    if (counters === null) return null;
    for (let row = 0; row < height; row++) counters.add(width, bytes.byteOffset + row * rowPitch);
    return counters.finish().map(({ cells, flow }) => ({ cells: cells!, flow }));
  }

  /** Returns a channel's instance. Each channel has its own memory. */
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
  /** The place to which samples are copied. */
  readonly chunk: Uint8Array;
}

/**
 * Copies a chunk's pixels.
 * @returns the number of pixels
 * @throws ERR_INPUT if the memory no longer exists
 */
function copyChunk(
  bytes: Uint8Array,
  { rowPitch, pixelBytes }: Geometry,
  { row, rows, column, columns }: Chunk,
  to: Uint8Array,
): number {
  copyRows(bytes, row * rowPitch + column * pixelBytes, columns * pixelBytes, rows, rowPitch, to);
  return rows * columns;
}

/** Copies rows. Buffer's copy is faster than `set` for shared memory. For other memory, `set` is faster. */
function copyRows(
  bytes: Uint8Array,
  first: number,
  length: number,
  rows: number,
  pitch: number,
  to: Uint8Array,
): void {
  const { buffer, byteOffset, byteLength } = bytes;
  const shared = buffer instanceof SharedArrayBuffer ? Buffer.from(buffer, byteOffset, byteLength) : null;
  for (let row = 0, from = first; row < rows; row++, from += pitch) {
    if (shared === null) to.set(bytesFrom(bytes, from, length), row * length);
    else shared.copy(to, row * length, from, from + length);
  }
}
