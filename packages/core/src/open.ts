import type { Backend, Device } from "./backend.ts";
import { cpu } from "./cpu.ts";
import { Engine, type Skipped } from "./engine.ts";
import { expected, isPolybinError, PolybinError } from "./errors.ts";
import { checkObject } from "./options.ts";
import { checkedWhole } from "./samples.ts";

export interface OpenOptions {
  /** Exactly this backend, or an error. */
  readonly backend?: Backend | undefined;
  /** The first of these that works here; core's CPU, which always does, comes last by itself. */
  readonly backends?: readonly Backend[] | undefined;
  /**
   * Calls that may wait for their turn where many are made at once; more are refused with ERR_LIMIT. Default: no bound,
   * all wait.
   */
  readonly maxQueue?: number | undefined;
}

/**
 * Opens a backend.
 * @throws ERR_UNAVAILABLE when the one that was asked for does not work here; ERR_INPUT for a wrong option.
 */
export async function openEngine(options: OpenOptions = {}): Promise<Engine> {
  checkObject(options);
  const { backend, backends } = options;
  const maxQueue = options.maxQueue === undefined ? Infinity : checkedWhole(options.maxQueue, "maxQueue", 0);
  if (backend !== undefined && backends !== undefined) {
    throw new PolybinError("ERR_INPUT", "expected either backend or backends but received both");
  }
  if (backend !== undefined) {
    checkBackend(backend, "backend");
    return new Engine(backend, await openOne(backend), [], maxQueue);
  }
  const candidates = backends ?? [];
  if (!Array.isArray(candidates)) throw expected("ERR_INPUT", "backends", "an array of backends", backends);
  candidates.forEach((candidate, i) => {
    checkBackend(candidate, `backends[${i}]`);
  });
  const skipped: Skipped[] = [];
  for (const candidate of candidates) {
    try {
      return new Engine(candidate, await openOne(candidate), skipped, maxQueue);
    } catch (error) {
      if (!isPolybinError(error)) throw error;
      skipped.push({ backend: candidate.id, reason: error.message });
    }
  }
  const last = cpu();
  return new Engine(last, await last.open(), skipped, maxQueue);
}

function checkBackend(value: unknown, name: string): void {
  if (typeof value !== "object" || value === null || typeof (value as Backend).open !== "function") {
    throw expected("ERR_INPUT", name, "a backend, such as cpu()", value);
  }
}

async function openOne(backend: Backend): Promise<Device> {
  const probe = await backend.probe();
  if (!probe.available) throw new PolybinError("ERR_UNAVAILABLE", probe.reason, { backend: backend.id });
  return backend.open();
}
