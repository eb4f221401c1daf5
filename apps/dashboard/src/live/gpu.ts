import { type Engine, openEngine } from "@polybin/core";
import { webgpu } from "@polybin/webgpu";
import type { Counted } from "./counted.ts";
import type { Pixels } from "./pixels.ts";

const RUNS = 3;

/** One engine for the life of the page, or until its device is lost. */
let opening: Promise<Engine> | null = null;

/** Counts with WGSL kernels on `navigator.gpu`. @throws ERR_UNAVAILABLE if the page has none. */
export async function countOnGpu({ data, width, height }: Pixels): Promise<Counted> {
  opening ??= openEngine({ backend: webgpu() });
  try {
    const engine = await opening;
    const ms: number[] = [];
    for (;;) {
      const start = performance.now();
      const found = await engine.histograms({ data, channels: 4, width, height });
      ms.push(performance.now() - start);
      if (ms.length < RUNS) continue;
      return {
        backend: "webgpu",
        device: engine.device,
        algorithm: found[0]!.algorithm ?? "",
        counts: found.map(({ counts }) => [...counts]),
        ms,
      };
    }
  } catch (error) {
    // The next picture requests a new device.
    opening = null;
    throw error;
  }
}
