import type {
  CellsPart,
  ChannelCounts,
  ChannelsJob,
  ChannelsPart,
  DeviceTimings,
} from "@polybin/core/backend";
import { limits } from "@polybin/core/backend";
import type { Told } from "../border/index.ts";

const NO_TIMINGS: DeviceTimings = Object.freeze({ readMs: 0, uploadMs: 0, kernelMs: 0 });

/** @param since when a call began; null: no timings were requested */
export function timingsOf(since: number | null): DeviceTimings {
  return since === null ? NO_TIMINGS : { ...NO_TIMINGS, kernelMs: performance.now() - since };
}

/** Returns the counts of cells as core takes them. The last count is that of the samples that were left out. */
export function cellsPartOf(counts: Float64Array, since: number | null): CellsPart {
  const cells = counts.length - 1;
  return { cells: counts.subarray(0, cells), masked: counts[cells]!, timings: timingsOf(since) };
}

/** Shared by all results, and never written. */
const NO_FLOW = new Float64Array(limits.FLOW_ROWS);

/** The counts of a call in the bins, and what the addon reports of them. */
export interface Counted {
  readonly counts: Float64Array;
  readonly told: Told;
}

/**
 * Returns the counts of a call as core takes them.
 *
 *   counts   channel | channel | …            each: the bins, or the 256 values of raw bytes
 *   told     their sum | channel | channel …  each: underflow, overflow, NaN
 *
 * @param since when the call began; null: no timings were requested
 */
export function partOf(
  { channels }: ChannelsJob,
  { counts, told }: Counted,
  since: number | null,
): ChannelsPart {
  const timings = timingsOf(since);
  const found: ChannelCounts[] = new Array(channels.length);
  if (channels.length === 1) {
    // The array is the result's own. A copy would take longer than a small count.
    const total = typeof told === "number" ? told : told[0]!;
    found[0] = { cells: counts, flow: flowOf(told, 0), total };
    return { channels: found, timings };
  }
  // The addon counts channels in ascending order.
  const order = channels.toSorted((a, b) => a - b);
  const size = counts.length / channels.length;
  for (let i = 0; i < channels.length; i++) {
    const k = order.indexOf(channels[i]!);
    found[i] = { cells: counts.slice(k * size, (k + 1) * size), flow: flowOf(told, k) };
  }
  return { channels: found, timings };
}

/** Returns the flow of the k-th channel. */
function flowOf(told: Told, k: number): Float64Array {
  if (typeof told === "number") return NO_FLOW;
  const first = 1 + k * limits.FLOW_ROWS;
  return told.slice(first, first + limits.FLOW_ROWS);
}
