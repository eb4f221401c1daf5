import { type Engine, openEngine } from "@polybin/core";

/** Messages of the page to a worker: first the pixels, then `count` for each run. */
export type ToWorker = { readonly pixels: Uint8ClampedArray<ArrayBuffer> } | "count";

/** Answers of a worker: the counts of 256 values in four channels, or an error. */
export type FromWorker =
  | { readonly counts: readonly Float64Array[]; readonly algorithm: string }
  | { readonly error: string };

let opening: Promise<Engine> | null = null;
let pixels = new Uint8ClampedArray();

async function count(): Promise<FromWorker> {
  try {
    opening ??= openEngine();
    const engine = await opening;
    const found = await engine.histograms({ data: pixels, channels: 4 });
    return { counts: found.map(({ counts }) => counts), algorithm: found[0]!.algorithm ?? "" };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

addEventListener("message", async ({ data }: MessageEvent<ToWorker>) => {
  if (data === "count") postMessage(await count());
  else pixels = data.pixels;
});
