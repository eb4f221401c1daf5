import { type EncodeJob, limits } from "@polybin/core/backend";
import type { WebgpuLimits } from "./capabilities.ts";
import type { Hardware } from "./hardware.ts";
import type { Launch } from "./program.ts";

/** Counts of a channel, before they are folded: its cells and three of flow. What is constant has one cell. */
export function codesOf({ plan, lowering }: Pick<EncodeJob, "plan" | "lowering">): number {
  return cellsOf({ plan, lowering }) + limits.FLOW_ROWS;
}

function cellsOf({ plan, lowering }: Pick<EncodeJob, "plan" | "lowering">): number {
  return lowering.kind === "constant" ? 1 : plan.cells;
}

/** Counts of samples that all have one code: each channel's only cell has them all. */
export function constantCounts({ plan, lowering, channels, pixels }: EncodeJob): Uint32Array<ArrayBuffer> {
  const codes = codesOf({ plan, lowering });
  const counts = new Uint32Array(codes * channels.length);
  for (let at = 0; at < counts.length; at += codes) counts[at] = pixels;
  return counts;
}

/** The dispatch that brings the counts of all channels into a user's buffer, from word `to` of the binding on. */
export async function foldOf(
  { pipelines }: Hardware,
  job: EncodeJob,
  of: WebgpuLimits,
  to: number,
): Promise<Launch> {
  const { plan, lowering, channels, axis, add } = job;
  const threads = Math.min(limits.BLOCK_THREADS, of.blockThreads);
  const isTable = lowering.kind === "constant" || plan.raw;
  const pipeline = await pipelines.of({
    parts: ["lib/params", "fold"],
    entry: "fold",
    constants: { THREADS: threads, TABLE: Number(isTable), ADD: Number(add) },
  });
  return {
    pipeline,
    params: { cells: cellsOf(job), bins: axis.bins, to },
    data: "none",
    scratch: "into",
    grid: [limits.divideCeiling(axis.bins + limits.FLOW_ROWS, threads), channels.length],
  };
}
