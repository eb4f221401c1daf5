import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { setImmediate as turn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** The resources that this process holds: sizes in bytes, and numbers of handles, files and threads. */
export interface Footprint {
  readonly heap: number;
  /** Memory of ArrayBuffers and memory reported by native code. */
  readonly external: number;
  readonly rss: number;
  /** Timers, sockets and requests that keep a process alive. */
  readonly handles: number;
  readonly files: number;
  readonly threads: number;
  /** Used memory of the NVIDIA GPU that this process sees first, by all processes; null if there is none. */
  readonly device: number | null;
}

/** The growth that is allowed: compiled code, a table that grew once, and memory that allocators keep. */
const BOUNDS: Readonly<Record<keyof Footprint, number>> = {
  heap: 4 * 2 ** 20,
  external: 4 * 2 ** 20,
  rss: 48 * 2 ** 20,
  handles: 0,
  files: 0,
  threads: 0,
  device: 8 * 2 ** 20,
};

/** The garbage collector, which Node exposes only with a flag. */
const collect = (() => {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
})();
/** Number of collections. Finalizers run later and may release more objects. */
const COLLECTIONS = 4;

/** Measures the resources after collecting garbage. */
export async function footprint(): Promise<Footprint> {
  for (let i = 0; i < COLLECTIONS; i++) {
    collect();
    await turn();
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  return {
    heap: heapUsed,
    external,
    rss,
    handles: process.getActiveResourcesInfo().length,
    files: entries("/proc/self/fd"),
    threads: entries("/proc/self/task"),
    device: deviceBytes(),
  };
}

/** Describes every resource that grew more than allowed. */
export function growth(before: Footprint, after: Footprint): string[] {
  return (Object.keys(BOUNDS) as (keyof Footprint)[]).flatMap((name) => {
    const [from, to] = [before[name] ?? 0, after[name] ?? 0];
    return to - from > BOUNDS[name] ? [`${name} grew from ${from} to ${to}`] : [];
  });
}

/** Counts the entries of a folder of proc(5); 0 if it does not exist. */
function entries(folder: string): number {
  try {
    return readdirSync(folder).length;
  } catch {
    return 0;
  }
}

function deviceBytes(): number | null {
  try {
    const device = process.env.CUDA_VISIBLE_DEVICES?.split(",")[0] || "0";
    const query = [`--id=${device}`, "--query-gpu=memory.used", "--format=csv,noheader,nounits"];
    const text = execFileSync("nvidia-smi", query, { encoding: "utf8", stdio: "pipe", timeout: 30_000 });
    return Number(text.split("\n")[0]) * 2 ** 20;
  } catch {
    return null;
  }
}
