import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { setImmediate as turn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** What this process holds. Bytes, but for what is counted. */
export interface Footprint {
  readonly heap: number;
  /** Of ArrayBuffers and what native code tells of. */
  readonly external: number;
  readonly rss: number;
  /** Timers, sockets and requests that keep a process alive. */
  readonly handles: number;
  readonly files: number;
  readonly threads: number;
  /** Of the NVIDIA GPU's memory, whoever uses it; null where there is none. */
  readonly device: number | null;
}

/** What may be more afterwards: compiled code, a table that grew once, and what allocators keep for later. */
const BOUNDS: Readonly<Record<keyof Footprint, number>> = {
  heap: 4 * 2 ** 20,
  external: 4 * 2 ** 20,
  rss: 96 * 2 ** 20,
  handles: 0,
  files: 0,
  threads: 0,
  device: 8 * 2 ** 20,
};

/** Node hands the collector out only to who asks. */
const collect = (() => {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
})();
/** What goes is told by finalizers, which run later, and may let go of more. */
const COLLECTIONS = 4;

/** All of it, once the garbage is gone. */
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

/** What is more than it may be, in words. */
export function growth(before: Footprint, after: Footprint): string[] {
  return (Object.keys(BOUNDS) as (keyof Footprint)[]).flatMap((name) => {
    const [from, to] = [before[name] ?? 0, after[name] ?? 0];
    return to - from > BOUNDS[name] ? [`${name} went from ${from} to ${to}`] : [];
  });
}

/** Of a folder of proc(5); 0 where there is none. */
function entries(folder: string): number {
  try {
    return readdirSync(folder).length;
  } catch {
    return 0;
  }
}

function deviceBytes(): number | null {
  try {
    const query = ["--query-gpu=memory.used", "--format=csv,noheader,nounits"];
    const text = execFileSync("nvidia-smi", query, { encoding: "utf8", stdio: "pipe", timeout: 30_000 });
    return Number(text.split("\n")[0]) * 2 ** 20;
  } catch {
    return null;
  }
}
