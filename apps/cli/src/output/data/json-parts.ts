import type { Axis, Histogram, Timings } from "@polybin/core";
import { exactly } from "../../base/index.ts";
import type { View } from "../../options/index.ts";
import { percentileOf } from "../percentile.ts";
import type { Work } from "../result.ts";

/** Parts of a result as `--json` prints them. */

/**
 * The backend, the device, the algorithm and the plan.
 * @param samples of everything, since the plan may be that of a table's first rows, or of a stream before its end
 */
export function workJson(work: Work | null, samples: number): object {
  return {
    backend: work?.backend ?? null,
    device: work?.device ?? null,
    algorithm: work?.algorithm ?? null,
    plan: work?.plan ? { ...work.plan, samples } : null,
  };
}

/** Bins and their edges. */
export function axisJson({ type, bins }: Pick<Axis, "type" | "bins">, edges: Float64Array): object {
  return { type, bins, edges: Array.from(edges, (edge) => exactly("", edge)) };
}

/** The counts of a histogram, except those of its masked samples, which each result names as it calls them. */
export function countsJson({ counts, underflow, overflow, nan }: Histogram): object {
  return { counts: [...counts], underflow, overflow, nan };
}

/** The percentiles of a histogram, if any were asked for. */
export function percentilesJson(histogram: Histogram, percentiles: View["percentiles"]): object {
  if (percentiles.length === 0) return {};
  return { percentiles: percentiles.map((percent) => percentileOf(histogram, percent)) };
}

export function timingsJson({ readMs, uploadMs, kernelMs, totalMs }: Timings): object {
  return { readMs, uploadMs, kernelMs, totalMs };
}
