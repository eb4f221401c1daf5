import { edgesOf } from "../axis/index.ts";
import type { CountJob } from "../backend/index.ts";
import { BYTE_VALUES } from "../base/index.ts";
import type { SampleArray } from "../input/index.ts";
import { lowerInto } from "../lowering/index.ts";
import type { Algorithm } from "../plan/index.ts";
import { type ChannelCounts, noCounts } from "../result/index.ts";
import { countBits, countSequential } from "./oracle.ts";

/** Counts runs of interleaved samples, one after the other. */
export interface Counter {
  add(run: SampleArray): void;
  channels(): ChannelCounts[];
}

/** What counting on one thread needs of a job; `stride`: interleaved channels. */
export interface CounterJob extends Pick<CountJob, "axis" | "channels" | "lowering" | "plan"> {
  readonly stride: number;
}

/** Counts from the definition (oracle.ts), at the speed of a plain loop. */
export function sequentialCounter({ axis, channels, plan, stride }: Omit<CounterJob, "lowering">): Counter {
  if (plan.raw) {
    const tables = channels.map(() => new Float64Array(BYTE_VALUES));
    return {
      add: (run) =>
        channels.forEach((channel, i) => {
          const table = countBits(run, channel, stride);
          for (let value = 0; value < BYTE_VALUES; value++) tables[i]![value]! += table[value]!;
        }),
      channels: () => tables.map((cells) => ({ cells, flow: new Float64Array(3) })),
    };
  }
  const edges = edgesOf(axis, plan.type);
  const counts = channels.map(() => noCounts(axis.bins));
  return {
    add: (run) =>
      channels.forEach((channel, i) => {
        countSequential(counts[i]!, axis, edges, run, channel, stride);
      }),
    channels: () =>
      counts.map(({ counts: cells, underflow, overflow, nan }) => ({
        cells,
        flow: Float64Array.of(underflow, overflow, nan),
      })),
  };
}

/** Lowers samples to codes and simulates the plan's algorithm on them. */
export function referenceCounter(
  { channels, lowering, plan, stride }: CounterJob,
  { reference }: Pick<Algorithm, "reference">,
): Counter {
  const codes = new Uint32Array(plan.chunkSamples);
  const totals = channels.map(() => ({ cells: new Float64Array(plan.cells), flow: new Float64Array(3) }));
  return {
    add: (run) =>
      channels.forEach((channel, i) => {
        const count = plan.raw
          ? rawInto(run, channel, stride, codes)
          : lowerInto(lowering, run, channel, stride, codes);
        const { cells, flow } = totals[i]!;
        const found = codes.subarray(0, count);
        const part = reference(found, plan, plan.cells);
        for (let cell = 0; cell < plan.cells; cell++) cells[cell]! += part[cell]!;
        for (const code of found) if (code >= plan.cells) flow[code - plan.cells]! += 1;
      }),
    channels: () => totals,
  };
}

/** Bytes as codes. @returns how many. */
export function rawInto(run: SampleArray, first: number, stride: number, out: Uint32Array): number {
  let count = 0;
  for (let i = first; i < run.length; i += stride) out[count++] = run[i]! & (BYTE_VALUES - 1);
  return count;
}
