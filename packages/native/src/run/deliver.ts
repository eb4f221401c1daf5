import type {
  CellsPart,
  ChannelCounts,
  ChannelsJob,
  ChannelsPart,
  DeviceTimings,
} from "@polybin/core/backend";
import { limits } from "@polybin/core/backend";

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

/** The counts of a call, and their sum. */
export interface Counted {
  readonly counts: Float64Array;
  readonly total: number;
}

/**
 * Returns the counts of a call as core takes them.
 *
 *   counts   channel | channel | …    each: underflow, the bins, overflow, NaN; or the 256 values of raw bytes
 *
 * @param since when the call began; null: no timings were requested
 */
export function partOf(
  { plan, channels }: ChannelsJob,
  rows: number,
  { counts, total: ofAll }: Counted,
  since: number | null,
): ChannelsPart {
  const timings = timingsOf(since);
  const found: ChannelCounts[] = new Array(channels.length);
  const total = channels.length === 1 ? ofAll : undefined;
  if (plan.raw && channels.length === 1) {
    found[0] = { cells: counts, flow: NO_FLOW, total };
    return { channels: found, timings };
  }
  // The addon counts channels in ascending order.
  const order = channels.length === 1 ? channels : channels.toSorted((a, b) => a - b);
  for (let i = 0; i < channels.length; i++) {
    const first = order.indexOf(channels[i]!) * rows;
    if (plan.raw) found[i] = { cells: counts.slice(first, first + rows), flow: NO_FLOW };
    else {
      const { bins } = plan;
      const [underflow, overflow, nan] = [
        counts[first]!,
        counts[first + bins + 1]!,
        counts[first + bins + 2]!,
      ];
      const isIn = underflow + overflow + nan === 0;
      const flow = isIn ? NO_FLOW : Float64Array.of(underflow, overflow, nan);
      found[i] = { cells: counts.slice(first + 1, first + 1 + bins), flow, total };
    }
  }
  return { channels: found, timings };
}
