import type { RunOptions } from "@polybin/core/backend";
import { PROGRESS_MS } from "../base/index.ts";
import type { NativeControl } from "../border/index.ts";
import { coded } from "../platform/index.ts";

/** A call of one device. Without a control, nothing watches it. */
type Call<T> = (control: NativeControl | undefined) => Promise<T>;

/**
 * Runs calls, one per device, that can be stopped and watched, and gives their errors codes. They share the memory that
 * stops them and reports the pixels that are done. If one fails, the others stop. When all have ended, the first
 * failure is thrown. So the result is complete or missing.
 */
export async function talk<T>({ signal, onProgress }: RunOptions, calls: readonly Call<T>[]): Promise<T[]> {
  signal?.throwIfAborted();
  const isWatched = calls.length > 1 || signal !== undefined || onProgress !== undefined;
  const control = isWatched ? newControl() : undefined;
  const stop = () => control && Atomics.store(control.stop, 0, 1);
  signal?.addEventListener("abort", stop, { once: true });
  const timer =
    onProgress && setInterval(() => onProgress(Number(Atomics.load(control!.done, 0))), PROGRESS_MS);
  const failures: unknown[] = [];
  const watched = async (call: Call<T>): Promise<T[]> => {
    try {
      return [await call(control)];
    } catch (error) {
      failures.push(error);
      stop();
      return [];
    }
  };
  try {
    const results = await Promise.all(calls.map(watched));
    if (failures.length === 0) return results.flat(1) as T[];
    signal?.throwIfAborted();
    throw coded(failures[0]);
  } finally {
    clearInterval(timer);
    signal?.removeEventListener("abort", stop);
  }
}

function newControl(): NativeControl {
  return {
    stop: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
    done: new BigInt64Array(new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT)),
  };
}
