import type { Backend, Device, Probe } from "../backend/index.ts";
import { checkNames, type ErrorCode, expected, isPolybinError, PolybinError } from "../base/index.ts";
import { cpu } from "../cpu/index.ts";
import { checkedWhole } from "../input/index.ts";
import { Engine, type Skipped } from "./engine.ts";
import { REQUEST_NAMES } from "./explain.ts";
import { CALL_NAMES } from "./options.ts";
import { checkAlgorithms } from "./parameters.ts";
import { WEIGHED_NAMES } from "./weighting-names.ts";

type Available = Extract<Probe, { readonly available: true }>;

/** What `openEngine` may be told; nothing: core's CPU. */
export interface OpenOptions {
  /** Exactly this backend, or an error. */
  readonly backend?: Backend | undefined;
  /** The first of these that works here; core's CPU, which always does, comes last by itself. */
  readonly backends?: readonly Backend[] | undefined;
  /**
   * May it be a device of software, a GPU that the CPU imitates (SwiftShader, llvmpipe, WARP)? Those are far slower than
   * core's CPU, and good for tests. Default: yes for `backend`; no for `backends`, which are then passed over, and
   * `engine.skipped` says so.
   */
  readonly fallback?: boolean | undefined;
  /**
   * Calls that may wait for their turn where many are made at once; more are refused with ERR_LIMIT. Default: no bound,
   * all wait.
   */
  readonly maxQueue?: number | undefined;
}

/** Codes that blame what the caller wrote: another backend would only hide the mistake. */
const CALLERS: ReadonlySet<ErrorCode> = new Set(["ERR_INPUT", "ERR_LIMIT"]);

/**
 * Opens a backend.
 * @throws ERR_UNAVAILABLE when the one that was asked for does not work here; ERR_INPUT for another option, or what is no
 * backend; ERR_INPUT or ERR_LIMIT for wrong options of a backend, of one in a list, too.
 */
export async function openEngine(options: OpenOptions = {}): Promise<Engine> {
  checkNotBackends(options);
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
      if (!isPolybinError(error) || CALLERS.has(error.code)) throw error;
      skipped.push({ backend: candidate.id, reason: error.message });
    }
  }
  const last = cpu();
  return new Engine(last, await last.open(), skipped, maxQueue);
}

/** @throws ERR_INPUT for a backend, or several, where the options should be. */
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

async function openOne(backend: Backend, takesSoftware: boolean): Promise<Device> {
  const probe = await backend.probe();
  const reason = probe.available ? softwareReason(probe, takesSoftware) : probe.reason;
  if (reason !== null) throw new PolybinError("ERR_UNAVAILABLE", reason, { backend: backend.id });
  const { id, algorithms, weighted = [] } = backend;
  checkAlgorithms(id, algorithms, [...CALL_NAMES, ...REQUEST_NAMES]);
  checkAlgorithms(id, weighted, WEIGHED_NAMES);
  return backend.open();
}

function softwareReason({ device, software = false }: Available, isTaken: boolean): string | null {
  return software && !isTaken
    ? `${device} is a GPU that the CPU imitates, far slower than the CPU itself; openEngine({ fallback: true }) takes it`
    : null;
}
