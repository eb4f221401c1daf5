import { type CountJob, type EncodeTarget, limits, rawShift } from "@polybin/core/backend";
import type { WebgpuLimits } from "../../base/index.ts";
import { type Dispatch, fold, plainThreads, regroup, type Values } from "../../kernels/index.ts";
import { type JobLookup, placeBytes } from "../../memory/index.ts";
import type { Hardware, Kernel } from "../../platform/index.ts";

type Job = Pick<CountJob, "plan" | "lowering" | "channels">;

/** How a job's counts become those in a user's buffer. */
export interface Folding {
  /** The dispatches after the count. They see all of the job's counts. */
  readonly dispatches: readonly Dispatch[];
  /** Their lookup. */
  readonly lookup: JobLookup | null;
  /** The job's counts: where those of its cells begin, and the end of all. Both in bytes. */
  readonly cellsAt: number;
  readonly bytes: number;
}

/** Returns the counts of a channel before folding: its cells and three of flow. A constant has one cell. */
function cellsOf({ plan, lowering }: Pick<Job, "plan" | "lowering">): number {
  return lowering.kind === "constant" ? 1 : plan.cells;
}

/** Returns the counts of samples that all have one code. The only cell of each channel has them all. */
export function constantCounts(job: Job, { pixels }: Pick<EncodeTarget, "pixels">): Uint32Array<ArrayBuffer> {
  const codes = cellsOf(job) + limits.FLOW_ROWS;
  const counts = new Uint32Array(codes * job.channels.length);
  for (let at = 0; at < counts.length; at += codes) counts[at] = pixels;
  return counts;
}

/**
 * Returns how the counts of all channels get into a user's buffer, from word `first` of the binding on. Cells that are no
 * bins are sorted by a table. Bins of the job's axis that belong to other codes are first added up by their codes:
 *
 *   | counts by code, for each channel | counts of cells, for each channel |
 */
export async function foldingOf(
  { pipelines }: Hardware,
  job: Job,
  of: WebgpuLimits,
  { add, first: to, bins, codes }: Pick<EncodeTarget, "add" | "bins" | "codes"> & { readonly first: number },
): Promise<Folding> {
  const { channels } = job;
  const threads = plainThreads(of);
  /** A thread per code of a channel. */
  const over = async (codes: number, kernel: Kernel, params: Values, scratch: Dispatch["scratch"]) => {
    const blocks = limits.divideCeiling(codes + limits.FLOW_ROWS, threads);
    const grid = [blocks, channels.length] as const;
    return { ...(await pipelines.ready(kernel)), params, data: "none", scratch, grid } satisfies Dispatch;
  };
  const table = tableOf(job, codes);
  const isRegrouped = table === null && codes !== null;
  const cells = cellsOf(job);
  const sizeOf = (rows: number) => (rows + limits.FLOW_ROWS) * channels.length * limits.WORD_BYTES;
  const cellsAt = isRegrouped ? placeBytes(sizeOf(bins)) : 0;
  const folded = { cells: isRegrouped ? bins : cells, bins, to };
  const last = await over(bins, fold(threads, table !== null, add), folded, "into");
  const bytes = cellsAt + sizeOf(cells);
  if (!isRegrouped) return { dispatches: [last], lookup: table, cellsAt, bytes };
  const first = cellsAt / limits.WORD_BYTES;
  const grouping = await over(cells, regroup(threads), { first, cells, bins }, "none");
  const lookup = { key: [codes], words: () => Uint32Array.from(codes) };
  return { dispatches: [grouping, last], lookup, cellsAt, bytes };
}

/** Returns the code in a user's buffer of each cell, or null if the cells are the bins of the job's axis. */
function tableOf({ plan, lowering }: Job, codes: Uint32Array | null): JobLookup | null {
  const codeOf = (code: number) => (codes === null ? code : codes[code]!);
  if (lowering.kind === "constant") {
    return { key: [lowering, codes], words: () => Uint32Array.of(codeOf(lowering.code)) };
  }
  if (!plan.raw || lowering.kind !== "table") return null;
  const { cells } = plan;
  const shift = rawShift(plan);
  return {
    key: [lowering, cells, codes],
    words: () => Uint32Array.from({ length: cells }, (_, cell) => codeOf(lowering.table[cell << shift]!)),
  };
}
