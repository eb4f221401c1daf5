import type { Backend, Device, Probe } from "../backend/index.ts";
import {
  checkNames,
  type ErrorCode,
  expected,
  isPolybinError,
  ownOptions,
  PolybinError,
} from "../base/index.ts";
import { cpu } from "../cpu/index.ts";
import { checkedWhole } from "../input/index.ts";
import type { Skipped } from "./engine/device-engine.ts";
import { Engine } from "./engine/engine.ts";
import { checkAlgorithms } from "./opened/parameters.ts";
import { CALL_NAMES } from "./options/options.ts";
import { WEIGHED_NAMES } from "./options/weighting-names.ts";

type Available = Extract<Probe, { readonly available: true }>;

/** Options of `openEngine`. Default: core's CPU backend. */
export interface OpenOptions {
  /** The backend to open. The call rejects if it does not work here. */
  readonly backend?: Backend | undefined;
  /**
   * Backends in order of preference; the first that works is opened. Core's CPU, which always works, is added as the
   * last one.
   */
  readonly backends?: readonly Backend[] | undefined;
  /**
   * Whether to accept a software device: a GPU that the CPU emulates (SwiftShader, llvmpipe, WARP). Such devices are
   * far slower than core's CPU and are useful for tests. Default: true for `backend`, false for `backends`. Refused
   * devices are listed in `engine.skipped`.
   */
  readonly fallback?: boolean | undefined;
  /**
   * Maximum number of calls that may wait for their turn. Further calls are refused with ERR_LIMIT. Default: no
   * limit.
   */
  readonly maxQueue?: number | undefined;
}

/** Codes that report a mistake of the caller. Falling back to another backend would hide it. */
const CALLERS: ReadonlySet<ErrorCode> = new Set(["ERR_INPUT", "ERR_LIMIT"]);

/**
 * Opens an engine on the first backend that works.
 * @throws ERR_UNAVAILABLE if the backend in `backend` does not work here. In a list, it is skipped for any reason.
 * @throws ERR_INPUT for an unknown option, or a value that is not a backend.
 * @throws ERR_INPUT or ERR_LIMIT for invalid options of a backend, also of one in a list.
 */
export async function openEngine(given: OpenOptions = {}): Promise<Engine> {
  checkNotBackends(given);
  const options = ownOptions(given);
  checkNames(options, ["backend", "backends", "fallback", "maxQueue"] satisfies (keyof OpenOptions)[]);
  const { backend, backends, fallback } = options;
  const maxQueue = options.maxQueue === undefined ? Infinity : checkedWhole(options.maxQueue, "maxQueue", 0);
  if (backend !== undefined && backends !== undefined) {
    throw new PolybinError("ERR_INPUT", "expected either backend or backends but received both");
  }
  if (fallback !== undefined && typeof fallback !== "boolean") {
    throw expected("ERR_INPUT", "fallback", "true or false", fallback);
  }
  if (backend !== undefined) {
    checkBackend(backend, "backend");
    return new Engine(backend, await openOne(backend, fallback ?? true), [], maxQueue);
  }
  const candidates = backends ?? [];
  if (!Array.isArray(candidates)) throw expected("ERR_INPUT", "backends", "an array of backends", backends);
  candidates.forEach((candidate, i) => {
    checkBackend(candidate, `backends[${i}]`);
  });
  const skipped: Skipped[] = [];
  for (const candidate of candidates) {
    try {
      return new Engine(candidate, await openOne(candidate, fallback ?? false), skipped, maxQueue);
    } catch (error) {
      if (CALLERS.has((error as PolybinError).code)) throw error;
      skipped.push({ backend: candidate.id, reason: (error as PolybinError).message });
    }
  }
  const last = cpu();
  return new Engine(last, await last.open(), skipped, maxQueue);
}

/** @throws ERR_INPUT if the argument is a backend or a list of backends instead of options. */
function checkNotBackends(options: unknown): void {
  const given: readonly unknown[] = Array.isArray(options) ? options : [options];
  if (!Array.isArray(options) && !isBackend(options)) return;
  const calls = given.map((one) => (isBackend(one) ? `${one.id}()` : "…"));
  throw expected("ERR_INPUT", "options", "an object", options, {
    helps: `call openEngine({ backends: [${calls.join(", ")}] })`,
  });
}

function isBackend(value: unknown): value is Backend {
  return typeof value === "object" && value !== null && typeof (value as Backend).open === "function";
}

function checkBackend(value: unknown, name: string): void {
  if (isBackend(value)) return;
  const helps = typeof value === "function" ? `call it: ${value.name}()` : null;
  throw expected("ERR_INPUT", name, "a backend, such as cpu()", value, { helps });
}

/** @throws a PolybinError, whatever the backend throws: a platform may refuse things that no probe knows. */
async function openOne(backend: Backend, takesSoftware: boolean): Promise<Device> {
  const { id, algorithms, weighted = [] } = backend;
  try {
    const probe = await backend.probe();
    const reason = probe.available ? softwareReason(probe, takesSoftware) : probe.reason;
    if (reason !== null) throw new PolybinError("ERR_UNAVAILABLE", reason, { backend: id });
    checkAlgorithms(id, algorithms, CALL_NAMES);
    checkAlgorithms(id, weighted, WEIGHED_NAMES);
    return await backend.open();
  } catch (cause) {
    if (isPolybinError(cause)) throw cause;
    const why = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
    throw new PolybinError("ERR_UNAVAILABLE", `${id} could not be opened (${why})`, { backend: id, cause });
  }
}

function softwareReason({ device, software = false }: Available, isTaken: boolean): string | null {
  return software && !isTaken
    ? `${device} is a GPU that the CPU emulates, far slower than the CPU itself; openEngine({ fallback: true }) accepts it`
    : null;
}
