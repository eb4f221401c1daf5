import { type Engine, openEngine } from "@polybin/core";
import { webgpu } from "@polybin/webgpu";
import type { Counted } from "./counted.ts";
import { levelsOf, type Samples } from "./pixels.ts";

const RUNS = 3;

/** One engine for the life of the page, or until its device is lost. */
let opening: Promise<Engine> | null = null;

/** Counts with WGSL kernels on `navigator.gpu`. @throws ERR_UNAVAILABLE if the page has none. */
export async function countOnGpu(samples: Samples): Promise<Counted> {
  const { data, channels, width, height } = samples;
  opening ??= openEngine({ backend: webgpu() });
  try {
    const engine = await opening;
    const ms: number[] = [];
    for (;;) {
      const start = performance.now();
      const found = await engine.histograms({ data, channels, width, height }, { bins: levelsOf(samples) });
      ms.push(performance.now() - start);
      if (ms.length < RUNS) continue;
      return {
        backend: "webgpu",
        device: engine.device,
        algorithm: found[0]!.algorithm ?? "",
        counts: found.map(({ counts }) => counts),
        ms,
      };
    }
  } catch (error) {
    // The next picture requests a new device.
    opening = null;
    throw error;
  }
}
