import { availableParallelism } from "node:os";
import { type Backend, type Engine, openEngine, type Slug } from "@polybin/core";
import { multithreaded } from "@polybin/core/multithreaded";
import { native } from "@polybin/native";
import { piscina } from "@polybin/piscina";
import { countsSync } from "../runner/counter.ts";
import { IMITATED, TARGETS, type Target } from "../runner/target.ts";
import { type Cell, optionsOf } from "./cell.ts";
import type { Side } from "./plan.ts";

/** Names of the backends for `--backend`. */
export const BACKENDS: readonly string[] = ["cpu", "native", "piscina", "webgpu", "cuda"];
/** Core's algorithms that are meant to be fast. The others simulate the papers' steps for readers. */
const OF_CPU: readonly string[] = ["sequential", "multithreaded"];

/** A backend's engine, with the properties that planning needs. */
export interface OpenSide extends Side {
  readonly engine: Engine;
  /** The target, if it is a GPU. */
  readonly target?: Target;
}

/** Opens the backends that work here, and explains why the others do not. The caller closes them. */
export async function openSides(
  wanted: readonly string[],
): Promise<{ readonly sides: readonly OpenSide[]; readonly missing: readonly string[] }> {
  const sides: OpenSide[] = [];
  const missing: string[] = [];
  const all = availableParallelism();
  const counts = all === 1 ? [1] : [all, 1];
  for (const id of wanted) {
    if (id === "cpu") {
      const engine = await openEngine({ backend: multithreaded({ threads: all }) });
      sides.push(
        { ...sideOf(engine, 1, ["sequential"]), countsSync: await countsSync(engine) },
        sideOf(engine, all, ["multithreaded"]),
      );
      const others = engine.algorithms.filter((slug) => !OF_CPU.includes(slug));
      missing.push(
        `cpu ${others.join(", ")}: they simulate the papers' steps for readers and are not meant to be fast`,
      );
    } else if (id === "native" || id === "piscina") {
      for (const threads of counts) {
        const engine = await openOrReason(id === "native" ? native({ threads }) : piscina({ threads }));
        if (typeof engine === "string") {
          missing.push(`${id}, ${threads} threads: ${engine}`);
          continue;
        }
        // One thread runs only the best algorithm, to show the gain from more threads.
        const side = sideOf(engine, threads, bestFirst(engine, threads === all ? undefined : 1));
        // `countSync` counts on the calling thread, whatever the number of workers.
        sides.push({ ...side, countsSync: threads === 1 && (await countsSync(engine)) });
      }
    } else {
      const target = TARGETS[id]!;
      const opened = await openOrReason(target.timed());
      if (typeof opened === "string") missing.push(`${id}: ${opened}`);
      else sides.push({ ...gpuSide(opened, target), countsSync: await countsSync(opened) });
    }
  }
  return { sides, missing };
}

async function openOrReason(backend: Backend): Promise<Engine | string> {
  try {
    return await openEngine({ backend });
  } catch (error) {
    return (error as Error).message;
  }
}

function sideOf(engine: Engine, threads: number, algorithms: readonly string[]): OpenSide {
  return {
    id: engine.backend,
    pace: "host",
    threads,
    algorithms,
    readsFiles: engine.readsFiles,
    engine,
    refuses: async (cell) =>
      engine.backend === "cpu" && cell.residence === "upload"
        ? "it counts any memory in place, without an upload"
        : refusalOf(engine, cell),
  };
}

function gpuSide(engine: Engine, target: Target): OpenSide {
  const software = IMITATED.test(engine.device);
  return {
    id: engine.backend,
    pace: software ? "software" : "gpu",
    algorithms: bestFirst(engine),
    readsFiles: engine.readsFiles,
    engine,
    target: { ...target, software, sleeps: target.sleeps && !software },
    refuses: (cell) => refusalOf(engine, cell),
  };
}

/** Lists algorithms, the choice of `auto` first. */
function bestFirst({ algorithms }: Engine, most = algorithms.length): string[] {
  const best: Slug = "per-lane";
  return [best, ...algorithms.filter((slug) => slug !== best)].slice(0, most);
}

async function refusalOf(engine: Engine, cell: Cell): Promise<string | null> {
  const found = await engine.supports({ ...optionsOf(cell), type: cell.type, samples: cell.n });
  return typeof found === "string" ? found : null;
}
