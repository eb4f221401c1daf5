import { type Engine, openEngine } from "@polybin/core";
import { type DrawnSample, drawnSample } from "../samples/drawing.ts";
import { type Exploration, type Explored, explore } from "./explore.ts";
import { type Marked, type Measured, marks, measured } from "./measure.ts";
import { levelsOf, type Region, type Samples } from "./pixels.ts";

/** A request about the picture that the worker has, or for the sample picture. */
export type Request =
  | "count"
  | "sample"
  | Exploration
  | { readonly measure: Region | null }
  | { readonly mark: Marked };

/** Messages of the page to a worker: first the samples, then requests. */
export type ToWorker = { readonly samples: Samples } | Request;

/** Answers of a worker: the counts of each channel, a measured or explored picture, marks, or an error. */
export type FromWorker =
  | Counts
  | DrawnSample
  | Explored
  | Measured
  | { readonly marks: ImageData }
  | { readonly error: string };

interface Counts {
  readonly counts: readonly Float64Array[];
  readonly algorithm: string;
}

let opening: Promise<Engine> | null = null;
let held: Samples = { data: new Uint8Array(), width: 0, height: 0, channels: 1 };

async function answer(request: Request): Promise<FromWorker> {
  try {
    if (request === "sample") return drawnSample();
    opening ??= openEngine();
    const engine = await opening;
    if (request === "count") return await count(engine);
    if ("measure" in request) return await measured(engine, held, request.measure);
    if ("mark" in request) return { marks: marks(held, request.mark) };
    return await explore(engine, held, request);
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

async function count(engine: Engine): Promise<Counts> {
  const { data, channels } = held;
  const found = await engine.histograms({ data, channels }, { bins: levelsOf(held) });
  return { counts: found.map(({ counts }) => counts), algorithm: found[0]!.algorithm ?? "" };
}

export async function handle(message: ToWorker): Promise<void> {
  if (typeof message === "object" && "samples" in message) held = message.samples;
  else postMessage(await answer(message));
}
