import { expected } from "./errors.ts";
import { MAX_THREADS } from "./limits.ts";

/** The part of Node's permission model that decides on worker threads. */
interface NodePermissions {
  readonly process?: { readonly permission?: { has(scope: string): boolean } };
}

/** Returns why this process cannot start worker threads, or null if nothing forbids it. */
export function threadsProblem(): string | null {
  return (globalThis as NodePermissions).process?.permission?.has("worker") === false
    ? "Node's permission model forbids worker threads: start the process with --allow-worker"
    : null;
}

/**
 * Returns the number of threads that a backend should use. Default: `machine`, the number that the machine runs at
 * once, and at most 256.
 * @throws ERR_INPUT unless `threads` is a whole number of at least 1.
 * @throws ERR_LIMIT above 256.
 */
export function checkedThreads(threads: unknown, machine: number): number {
  if (threads === undefined) return Math.min(machine, MAX_THREADS);
  if (typeof threads !== "number" || !Number.isInteger(threads) || threads < 1) {
    throw expected("ERR_INPUT", "threads", "a whole number of at least 1", threads);
  }
  if (threads > MAX_THREADS) throw expected("ERR_LIMIT", "threads", `at most ${MAX_THREADS}`, threads);
  return threads;
}
