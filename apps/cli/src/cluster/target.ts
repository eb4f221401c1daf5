import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Cluster, openLocal } from "@polybin/cluster";
import type { Distribution } from "./request.ts";

/** The cluster of a command, and a promise that rejects if its own workers are lost. */
export interface Target extends AsyncDisposable {
  readonly cluster: Cluster;
  /** Waits for work, and stops waiting if the command's own workers are lost. */
  wait<T>(work: Promise<T>): Promise<T>;
}

/** Opens the cluster of a request: the one of --redis, or one of --local for these places. */
export async function openTarget(
  { redis, spill, local, backend }: Distribution,
  locations: readonly string[],
): Promise<Target> {
  if (local === null) {
    const cluster = await Cluster.open({ redis, spill });
    return { cluster, wait: (work) => work, [Symbol.asyncDispose]: () => cluster.close() };
  }
  const allow = new Set([...locations.map(placeOf), ...(spill === undefined ? [] : [spill])]);
  // One process per core counts on its own thread.
  const counting = ["--backend", backend === "auto" ? "cpu" : backend];
  const places = [...allow].flatMap((place) => ["--allow", place]);
  const large = spill === undefined ? [] : ["--spill", spill];
  const started = await openLocal({
    workers: local,
    spill,
    command: [process.execPath, process.argv[1]!, "cluster", "work", ...counting, ...places, ...large],
  });
  return {
    cluster: started.cluster,
    wait: (work) => Promise.race([work, started.lost]),
    [Symbol.asyncDispose]: () => started.close(),
  };
}

const SCHEME = /^[a-z][a-z0-9+.-]+:/i;

/** The location as every process of a machine opens it. */
export function absolute(location: string): string {
  if (location.startsWith("file:")) return fileURLToPath(location);
  return location === "-" || SCHEME.test(location) ? location : resolve(location);
}

/** The smallest place that a worker of --local must be able to open for an absolute location. */
function placeOf(location: string): string {
  if (!SCHEME.test(location)) return dirname(location);
  return new URL(".", location).href;
}
