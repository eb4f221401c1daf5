import { type CountJob, type EncodeTarget, limits } from "@polybin/core/backend";
import type { WebgpuLimits } from "../base/index.ts";
import { type Dispatch, fold, plainThreads } from "../kernels/index.ts";
import type { Hardware } from "../platform/index.ts";

type Job = Pick<CountJob, "plan" | "lowering" | "channels" | "axis">;

/** Returns the counts of a channel before folding: its cells and three of flow. A constant has one cell. */
export function codesOf({ plan, lowering }: Pick<Job, "plan" | "lowering">): number {
  return cellsOf({ plan, lowering }) + limits.FLOW_ROWS;
}

function cellsOf({ plan, lowering }: Pick<Job, "plan" | "lowering">): number {
  return lowering.kind === "constant" ? 1 : plan.cells;
}

/** Returns the counts of samples that all have one code. The only cell of each channel has them all. */
export function constantCounts(
  { plan, lowering, channels }: Job,
  { pixels }: Pick<EncodeTarget, "pixels">,
): Uint32Array<ArrayBuffer> {
  const codes = codesOf({ plan, lowering });
  const counts = new Uint32Array(codes * channels.length);
  for (let at = 0; at < counts.length; at += codes) counts[at] = pixels;
  return counts;
}

/**
 * Returns the dispatch that folds the counts of all channels into a user's buffer, from word `to` of the binding on.
 */
export async function foldOf(
  { pipelines }: Hardware,
  job: Job,
  of: WebgpuLimits,
  { add, first: to }: Pick<EncodeTarget, "add"> & { readonly first: number },
): Promise<Dispatch> {
  const { plan, lowering, channels, axis } = job;
  const threads = plainThreads(of);
  const isTable = lowering.kind === "constant" || plan.raw;
  const kernel = fold(threads, isTable, add);
  return {
    kernel,
    pipeline: await pipelines.of(kernel),
    params: { cells: cellsOf(job), bins: axis.bins, to },
    data: "none",
    scratch: "into",
    grid: [limits.divideCeiling(axis.bins + limits.FLOW_ROWS, threads), channels.length],
  };
}
