import type { Timings } from "@polybin/core";

/**
 * The timings of a whole command, from its start until now.
 * @param readMs spent on reading before the engine
 * @param own those of the engine, if it measured any
 */
export function timingsSince(start: number, readMs: number, own: Timings | null | undefined): Timings {
  return {
    readMs: readMs + (own?.readMs ?? 0),
    uploadMs: own?.uploadMs ?? 0,
    kernelMs: own?.kernelMs ?? 0,
    totalMs: performance.now() - start,
  };
}
