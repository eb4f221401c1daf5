import { type ChannelsJob, type Prepared, type RunOptions, samplesOf } from "@polybin/core/backend";
import type { Counter, Native } from "../border/index.ts";
import { coded, PROGRESS_MS } from "../platform/index.ts";
import { partOf } from "./deliver.ts";
import { nativeJob } from "./prepare.ts";

/** Prepares a count of channels on up to `threads` threads. */
export function prepareChannels(native: Native, threads: number, job: ChannelsJob): Prepared {
  const { numbers, low, high, rows, launch } = nativeJob(job, threads);
  const counter = made(() => new native.Counter(numbers, low, high));
  const size = rows * job.channels.length;
  return {
    launch,
    countSync(input, { signal, onProgress, timed }) {
      signal?.throwIfAborted();
      const since = timed ? performance.now() : null;
      const { bytes, width, height, rowPitch, pixels } = samplesOf(input);
      const counts = new Float64Array(size);
      made(() => counter.countSync(bytes, width, height, rowPitch, counts));
      onProgress?.(pixels);
      return partOf(job, rows, counts, since);
    },
    async count(input, options) {
      options.signal?.throwIfAborted();
      const since = options.timed ? performance.now() : null;
      const { bytes, width, height, rowPitch, pixels } = samplesOf(input);
      const counts = new Float64Array(size);
      await watched(options, pixels, (control) =>
        counter.count(bytes, width, height, rowPitch, counts, control),
      );
      return partOf(job, rows, counts, since);
    },
  };
}

/** Runs a call of the addon. @throws its errors as core's */
function made<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw coded(error);
  }
}

/** Runs a call that its signal stops, and reports its progress. @throws the signal's reason */
async function watched(
  { signal, onProgress }: RunOptions,
  pixels: number,
  run: (control: Uint32Array | null) => ReturnType<Counter["count"]>,
): Promise<void> {
  const isWatched = signal !== undefined || onProgress !== undefined;
  const control = isWatched ? new Uint32Array(new SharedArrayBuffer(CONTROL_BYTES)) : null;
  if (control === null) return run(null).catch(rethrow);
  const done = new BigUint64Array(control.buffer);
  const onAbort = () => Atomics.store(control, 0, 1);
  signal?.addEventListener("abort", onAbort, { once: true });
  const timer =
    onProgress && setInterval(() => onProgress(Number(Atomics.load(done, 1))), PROGRESS_MS).unref();
  try {
    await run(control).catch(rethrow);
  } finally {
    clearInterval(timer);
    signal?.removeEventListener("abort", onAbort);
  }
  signal?.throwIfAborted();
  onProgress?.(pixels);
}

/** The words of a control (border/addon.ts). */
const CONTROL_BYTES = 16;

function rethrow(error: unknown): never {
  throw coded(error);
}
