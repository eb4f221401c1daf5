import type { Role } from "./worker.ts";

/** Starts a worker for one of the tasks. */
export const startWorker = (role: Role): Worker =>
  new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: role });
