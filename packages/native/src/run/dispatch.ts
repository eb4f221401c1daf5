import type { Extent } from "@polybin/core";
import {
  type CellsInputs,
  type CellsJob,
  type ChannelsJob,
  checkMemory,
  type FileSamples,
  type Input,
  type Prepared,
  type PreparedCells,
  type RunOptions,
  type Samples,
  Semaphore,
  samplesOf,
  withFile,
} from "@polybin/core/backend";
import type { Counter, Native, CellsInputs as NativeInputs, Told, Watch } from "../border/index.ts";
import { coded, EXTENT_BYTES, FILES_AT_ONCE, PROGRESS_MS } from "../platform/index.ts";
import { cellsPartOf, partOf } from "./deliver.ts";
import { maskOf, nativeCells, nativeExtent, nativeJob } from "./prepare.ts";

/** Prepares a count of channels on up to `threads` threads. */
export function prepareChannels(native: Native, threads: number, job: ChannelsJob): Prepared {
  const { packed, counts: size, launch } = nativeJob(job, threads);
  const counter = made(() => new native.Counter(...packed));
  return {
    launch,
    countSync(input, { signal, onProgress, timed }) {
      signal?.throwIfAborted();
      const since = timed ? performance.now() : null;
      const { bytes, width, height, rowPitch, pixels } = samplesOf(input);
      const counts = new Float64Array(size);
      let told: Told;
      try {
        told = counter.countSync(bytes, width, height, rowPitch, counts);
      } catch (error) {
        throw coded(error);
      }
      onProgress?.(pixels);
      return partOf(job, { counts, told }, since);
    },
    async count(input, options) {
      options.signal?.throwIfAborted();
      const since = options.timed ? performance.now() : null;
      const counts = new Float64Array(size);
      const told = await watchedOver(input, options, {
        memory: ({ bytes, width, height, rowPitch }, watch) =>
          counter.count(bytes, width, height, rowPitch, counts, watch),
        file: (descriptor, { offset, pixels }, watch) =>
          counter.countFile(descriptor, offset, pixels, counts, watch),
      });
      return partOf(job, { counts, told }, since);
    },
  };
}

/** Prepares a count of cells on up to `threads` threads. */
export function prepareCells(native: Native, threads: number, job: CellsJob): PreparedCells {
  const { numbers, columns, launch } = nativeCells(job, threads);
  const counter = made(() => new native.Cells(numbers, columns));
  const size = job.plan.cells + 1;
  return {
    launch,
    countSync(inputs, { signal, onProgress, timed }) {
      signal?.throwIfAborted();
      const since = timed ? performance.now() : null;
      const counts = new Float64Array(size);
      made(() => counter.countSync(...inputsOf(inputs), counts));
      onProgress?.(inputs.samples);
      return cellsPartOf(counts, since);
    },
    async count(inputs, options) {
      options.signal?.throwIfAborted();
      const since = options.timed ? performance.now() : null;
      const counts = new Float64Array(size);
      const of = inputsOf(inputs);
      await overMemory(memoryOf(of), () =>
        watched(options, inputs.samples, (watch) => counter.count(...of, counts, watch)),
      );
      return cellsPartOf(counts, since);
    },
  };
}

/** Finds the finite minimum and maximum of channels. */
export type FindExtent = (input: Input, channels: readonly number[], options: RunOptions) => Promise<Extent>;

/** Creates what finds the extents of a device, on up to `threads` threads. */
export function extentsOn(native: Native, threads: number): FindExtent {
  /** The prepared searches, by the type and the channels. */
  const kept = new Map<string, Counter>();
  const finderOf = (of: Pick<Samples, "type" | "channels">, channels: readonly number[]): Counter => {
    const key = `${of.type} ${of.channels} ${maskOf(channels)}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const finder = made(() => new native.Counter(...nativeExtent(of, channels, threads)));
    kept.set(key, finder);
    return finder;
  };
  return async (input, channels, options) => {
    options.signal?.throwIfAborted();
    const of = input.kind === "file" ? input.file : samplesOf(input);
    const finder = finderOf(of, channels);
    const range = Float64Array.of(Infinity, -Infinity);
    if ("bytes" in of && of.bytes.byteLength <= EXTENT_BYTES) {
      const { bytes, width, height, rowPitch, pixels } = of;
      made(() => finder.extentSync(bytes, width, height, rowPitch, range));
      options.onProgress?.(pixels);
    } else {
      await watchedOver(input, options, {
        memory: ({ bytes, width, height, rowPitch }, watch) =>
          finder.extent(bytes, width, height, rowPitch, range, watch),
        file: (descriptor, { offset, pixels }, watch) =>
          finder.extentFile(descriptor, offset, pixels, range, watch),
      });
    }
    return { min: range[0]!, max: range[1]! };
  };
}

/** Calls of the addon for samples in memory, or in a file that is open until they end. */
interface Calls<T> {
  memory(of: Samples, watch: Watch): Promise<T>;
  file(descriptor: number, of: FileSamples, watch: Watch): Promise<T>;
}

/** Runs a call over an input, as `watched`. @throws ERR_INPUT for a file that does not hold its samples, or changes */
async function watchedOver<T>(input: Input, options: RunOptions, { memory, file }: Calls<T>): Promise<T> {
  if (input.kind !== "file") {
    const of = samplesOf(input);
    return overMemory([readOf(of.bytes)], () => watched(options, of.pixels, (watch) => memory(of, watch)));
  }
  const { file: of } = input;
  return openFiles.hold(() =>
    withFile(input, ({ fd }) => watched(options, of.pixels, (watch) => file(fd, of, watch))),
  );
}

/** Limits the files that a process has open, independent of the number of calls. */
const openFiles = new Semaphore(FILES_AT_ONCE);

/** Returns the samples of a call as the addon takes them. */
export function inputsOf({ columns, mask, where, samples }: CellsInputs): NativeInputs {
  const all = [...columns, ...(mask === null ? [] : [mask])].map(samplesOf);
  const geometry = Float64Array.from(all.flatMap(({ width, height, rowPitch }) => [width, height, rowPitch]));
  const bytes = all.map((of) => of.bytes);
  return [bytes.slice(0, columns.length), geometry, bytes[columns.length] ?? null, where, samples];
}

/** Memory that a call uses off this thread, and the bytes of it that must exist. */
type Used = readonly [memory: ArrayBufferView, bytes: number];

/** Transferred memory has no bytes, and samples whose memory was made smaller have none. */
const READ_BYTES = 1;

/**
 * Runs a call that uses memory off this thread. The addon holds the memory, but the new owner of a transferred buffer may
 * have written to it.
 * @throws ERR_INPUT if memory was transferred or made smaller, before or meanwhile
 */
export async function overMemory<T>(memory: readonly Used[], run: () => Promise<T>): Promise<T> {
  for (const used of memory) checkMemory(...used);
  const found = await run();
  for (const used of memory) checkMemory(...used);
  return found;
}

/** Returns what the addon reads of samples. */
export function readOf(bytes: ArrayBufferView): Used {
  return [bytes, READ_BYTES];
}

/** Returns what the addon reads of columns and their mask. The list of indices is core's. */
export function memoryOf([columns, , mask]: NativeInputs): readonly Used[] {
  return [...columns, ...(mask === null ? [] : [mask])].map(readOf);
}

/** Runs a call of the addon. @throws its errors as core's */
export function made<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw coded(error);
  }
}

/** Runs a call that its signal stops, and reports its progress. @throws the signal's reason */
export async function watched<T>(
  { signal, onProgress }: RunOptions,
  pixels: number,
  run: (watch: Watch) => Promise<T>,
): Promise<T> {
  const isWatched = signal !== undefined || onProgress !== undefined;
  const watch = isWatched ? new Uint32Array(new SharedArrayBuffer(WATCH_BYTES)) : null;
  if (watch === null) return run(null).catch(rethrow);
  const done = new BigUint64Array(watch.buffer);
  const onAbort = () => Atomics.store(watch, 0, 1);
  signal?.addEventListener("abort", onAbort, { once: true });
  const timer =
    onProgress && setInterval(() => onProgress(Number(Atomics.load(done, 1))), PROGRESS_MS).unref();
  let value: T;
  try {
    value = await run(watch).catch(rethrow);
  } finally {
    clearInterval(timer);
    signal?.removeEventListener("abort", onAbort);
  }
  signal?.throwIfAborted();
  onProgress?.(pixels);
  return value;
}

/** The bytes of a watch (border/addon.ts). */
const WATCH_BYTES = 16;

function rethrow(error: unknown): never {
  throw coded(error);
}
