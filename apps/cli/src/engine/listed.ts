import { isPolybinError } from "@polybin/core";
import { BACKEND_IDS, backendOf } from "./backends.ts";

/** One backend as `polybin backends --json` and the dashboard list it. */
export interface Listed {
  readonly id: string;
  readonly available: boolean;
  /** Why it is not available, or null if it is. */
  readonly reason: string | null;
  readonly device: string | null;
  /** Whether it is a software adapter, which computes on the CPU and which `auto` passes over. */
  readonly software: boolean;
  readonly algorithms: readonly string[];
  /** The algorithms of `polybin weighted`. */
  readonly weighted: readonly string[];
}

/** Probes every backend that the command knows. */
export function listBackends(): Promise<Listed[]> {
  return Promise.all(BACKEND_IDS.map(look));
}

async function look(id: string): Promise<Listed> {
  try {
    const backend = await backendOf(id);
    const probe = await backend.probe();
    return {
      id,
      available: probe.available,
      reason: probe.available ? null : probe.reason,
      device: probe.available ? probe.device : null,
      software: probe.available && probe.software === true,
      algorithms: backend.algorithms.map(({ slug }) => slug),
      weighted: (backend.weighted ?? []).map(({ slug }) => slug),
    };
  } catch (error) {
    if (!isPolybinError(error)) throw error;
    const absent = { available: false, reason: error.message, device: null, software: false };
    return { id, ...absent, algorithms: [], weighted: [] };
  }
}
