import { PolybinError } from "../base/index.ts";
import type { JobOf, Kind } from "./jobs.ts";
import type { PreparedOf } from "./prepared.ts";

/** How a device prepares the jobs of each kind that it has kernels for. */
export type Preparers = { readonly [K in Kind]?: (job: JobOf<K>) => PreparedOf<K> };

/** Prepares a job. @throws ERR_INTERNAL if the device has no kernels for its kind, which the engine must know */
export function preparedBy<K extends Kind>(preparers: Preparers, job: JobOf<K>): PreparedOf<K> {
  const prepare = preparers[job.kind as K];
  if (prepare !== undefined) return prepare(job);
  throw new PolybinError("ERR_INTERNAL", `this device has no kernels for ${job.kind}`);
}
