import { expected } from "./errors.ts";
import { MAX_THREADS } from "./limits.ts";

/**
 * The number of threads that a backend is asked for; where none is, as many as the machine runs at once.
 * @throws ERR_INPUT unless it is a whole number of at least 1; ERR_LIMIT past 256.
 */
export function checkedThreads(threads: unknown, machine: number): number {
  if (threads === undefined) return Math.min(machine, MAX_THREADS);
  if (typeof threads !== "number" || !Number.isInteger(threads) || threads < 1) {
    throw expected("ERR_INPUT", "threads", "a whole number of at least 1", threads);
  }
  if (threads > MAX_THREADS) throw expected("ERR_LIMIT", "threads", `at most ${MAX_THREADS}`, threads);
  return threads;
}
