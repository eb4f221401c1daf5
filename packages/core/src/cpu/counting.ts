import type { CountJob } from "../backend/index.ts";
import { BYTE_VALUES, FLOW_ROWS } from "../base/index.ts";
import { bitsOf, type SampleArray } from "../input/index.ts";
import { lowerInto } from "../lowering/index.ts";
import { type Reference, rawShift } from "../plan/index.ts";
import type { ChannelCounts } from "../result/index.ts";
import { countBytes } from "./bytes.ts";

/** Counts runs of interleaved samples. */
export interface Counter {
  add(run: SampleArray): void;
  channels(): ChannelCounts[];
}

/** The properties of a job that counting on one thread needs. `stride` is the number of interleaved channels. */
export interface CounterJob extends Pick<CountJob, "axis" | "channels" | "lowering" | "plan"> {
  readonly stride: number;
}

/** Counts the values of bytes in a plain loop. @returns a function that creates one counter per call */
export function rawCounters(job: Omit<CounterJob, "lowering">): () => Counter {
  return () => new RawCounter(job);
}

/** Shared by all results, and never written. */
const NO_FLOW = new Float64Array(FLOW_ROWS);

/** Counts byte values directly, with the loop of Figure 1. */
class RawCounter implements Counter {
  readonly #job: Omit<CounterJob, "lowering">;
  readonly #cells: Float64Array[];
  #isBegun = false;
  #total = 0;

  constructor(job: Omit<CounterJob, "lowering">) {
    this.#job = job;
    this.#cells = new Array(job.channels.length);
    for (let i = 0; i < this.#cells.length; i++) this.#cells[i] = new Float64Array(BYTE_VALUES);
  }

  add(run: SampleArray): void {
    const { plan, channels, stride } = this.#job;
    const bytes = plan.type === "u8" ? run : bitsOf(run);
    this.#total += countBytes(this.#cells, bytes as Uint8Array, channels, stride, this.#isBegun);
    this.#isBegun = true;
  }

  channels(): ChannelCounts[] {
    const counted: ChannelCounts[] = new Array(this.#cells.length);
    const total = counted.length === 1 ? this.#total : undefined;
    for (let i = 0; i < counted.length; i++) counted[i] = { cells: this.#cells[i]!, flow: NO_FLOW, total };
    return counted;
  }
}

/** Lowers samples to codes and simulates the plan's algorithm on them. */
export function referenceCounter(
  { channels, lowering, plan, stride }: CounterJob,
  reference: Reference,
): Counter {
  const codes = new Uint32Array(plan.chunkSamples);
  const shift = rawShift(plan);
  const totals = channels.map(() => ({ cells: new Float64Array(plan.cells), flow: new Float64Array(3) }));
  return {
    add: (run) =>
      channels.forEach((channel, i) => {
        const count = plan.raw
          ? rawInto(run, channel, stride, codes, shift)
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

/** Writes bytes, or their upper bits, as codes. @returns the number of codes. */
export function rawInto(
  run: SampleArray,
  first: number,
  stride: number,
  out: Uint32Array,
  shift = 0,
): number {
  let count = 0;
  for (let i = first; i < run.length; i += stride) out[count++] = (run[i]! & (BYTE_VALUES - 1)) >> shift;
  return count;
}
