import { kernelOf } from "../kernels/index.ts";
import { giveRegions, takeRegions, type Visible, type VisibleInstances } from "../platform/index.ts";
import type { CountWork } from "../task/index.ts";
import { type ChannelCounter, type ChannelResult, channelCounter } from "./channel.ts";

/** Counters of samples in place, with their tables in the same memory. */
export interface VisibleCounters {
  /** Adds pixels, from an address of the memory on. */
  add(pixels: number, address: number): void;
  /** Ends the job and returns the tables to the memory. */
  finish(): ChannelResult[];
  /** Ends the job without a result. */
  drop(): void;
}

/** Returns counters for all channels, or null if the kernel needs a copy or other threads use all tables. */
export function visibleCounters(
  instances: VisibleInstances,
  visible: Visible,
  work: CountWork,
  channels: readonly number[],
  interleaved: number,
): VisibleCounters | null {
  if (work.setup === null) return null;
  const taken = takeRegions(visible, channels.length);
  if (taken.length === 0) return null;
  const kernel = kernelOf(work.plan).fused!;
  const counters = channels.map((channel, i): ChannelCounter => {
    const wasm = instances.of(visible, taken[i]!, i);
    return channelCounter(wasm, work, { channel, interleaved, shared: null });
  });
  return {
    add(pixels, address) {
      for (const counter of counters) counter.add(pixels, address);
    },
    finish() {
      const results = counters.map((counter) => counter.finish());
      giveRegions(visible, taken);
      return results;
    },
    drop() {
      for (const { wasm } of counters) kernel.clear(wasm);
      giveRegions(visible, taken);
    },
  };
}
