import { type Engine, openEngine } from "@polybin/core";
import { type Exploration, type Explored, explore, type Shown } from "./explore.ts";

/** Messages of the page to a worker: first the pixels, then `count` for each run, or what to do with the picture. */
export type ToWorker = (Pick<Shown, "pixels"> & Partial<Shown>) | "count" | Exploration;

/** Answers of a worker: the counts of 256 values in four channels, the explored picture, or an error. */
export type FromWorker = Counts | Explored | { readonly error: string };

interface Counts {
  readonly counts: readonly Float64Array[];
  readonly algorithm: string;
}

let opening: Promise<Engine> | null = null;
let shown: Shown = { pixels: new Uint8ClampedArray(), width: 0 };

async function answer(request: "count" | Exploration): Promise<FromWorker> {
  try {
    opening ??= openEngine();
    const engine = await opening;
    return await (request === "count" ? count(engine) : explore(engine, shown, request));
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

async function count(engine: Engine): Promise<Counts> {
  const found = await engine.histograms({ data: shown.pixels, channels: 4 });
  return { counts: found.map(({ counts }) => counts), algorithm: found[0]!.algorithm ?? "" };
}

addEventListener("message", async ({ data }: MessageEvent<ToWorker>) => {
  if (data === "count" || !("pixels" in data)) postMessage(await answer(data));
  else shown = { width: 0, ...data };
});
