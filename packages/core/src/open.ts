import type { Backend, Device } from "./backend.ts";
import { cpu } from "./cpu.ts";
import { Engine, type Skipped } from "./engine.ts";
import { expected, isPolybinError, PolybinError } from "./errors.ts";
import { checkNames } from "./names.ts";

export interface OpenOptions {
  /** Exactly this backend, or an error. */
  readonly backend?: Backend | undefined;
  /** The first of these that works here; core's CPU, which always does, comes last by itself. */
  readonly backends?: readonly Backend[] | undefined;
}

/**
 * Opens a backend.
 * @throws ERR_INPUT for another option, or what is no backend; ERR_UNAVAILABLE when the one that was asked for does not work here.
 */
export async function openEngine(options: OpenOptions = {}): Promise<Engine> {
  checkNotBackends(options);
  checkNames(options, ["backend", "backends"] satisfies (keyof OpenOptions)[]);
  const { backend, backends } = options;
  if (backend !== undefined && backends !== undefined) {
    throw new PolybinError("ERR_INPUT", "expected either backend or backends but received both");
  }
  if (backend !== undefined) {
    checkBackend(backend, "backend");
    return new Engine(backend, await openOne(backend), []);
  }
  const candidates = backends ?? [];
  if (!Array.isArray(candidates)) throw expected("ERR_INPUT", "backends", "an array of backends", backends);
  candidates.forEach((candidate, i) => {
    checkBackend(candidate, `backends[${i}]`);
  });
  const skipped: Skipped[] = [];
  for (const candidate of candidates) {
    try {
      return new Engine(candidate, await openOne(candidate), skipped);
    } catch (error) {
      if (!isPolybinError(error)) throw error;
      skipped.push({ backend: candidate.id, reason: error.message });
    }
  }
  const last = cpu();
  return new Engine(last, await last.open(), skipped);
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

async function openOne(backend: Backend): Promise<Device> {
  const probe = await backend.probe();
  if (!probe.available) throw new PolybinError("ERR_UNAVAILABLE", probe.reason, { backend: backend.id });
  return backend.open();
}
