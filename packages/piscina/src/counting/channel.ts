import type { ChannelsPlan } from "@polybin/core";
import { NAN, OVERFLOW, SAMPLE_TRAITS, UNDERFLOW } from "@polybin/core/backend";
import { kernelOf } from "../kernels/index.ts";
import type { Wasm } from "../platform/index.ts";
import type { CountWork } from "../task/index.ts";
import { Lowerer } from "./lowerer.ts";

/** Counts one channel of pixels in one instance. */
export interface ChannelCounter {
  readonly wasm: Wasm;
  /** Adds pixels from CHUNK on. Samples that are counted in place begin at `address` instead. */
  add(pixels: number, address?: number): void;
  /** Ends the job and clears everything. */
  finish(): ChannelResult;
}

export interface ChannelResult {
  /** Null if the counts are in a table that other workers also use. */
  readonly cells: Float64Array | null;
  /** Underflow, overflow, NaN. */
  readonly flow: Float64Array;
}

/** The channel of the pixels, and the table that it shares with other workers. */
export interface ChannelShape {
  readonly channel: number;
  readonly interleaved: number;
  readonly shared: Int32Array | null;
}

export function channelCounter(wasm: Wasm, work: CountWork, shape: ChannelShape): ChannelCounter {
  return work.setup === null ? byCodes(wasm, work, shape) : fused(wasm, work, work.setup, shape);
}

/** Counts in two stages: it converts samples to codes, and then counts the codes. */
function byCodes(
  wasm: Wasm,
  { plan, lowering }: CountWork,
  { channel, interleaved, shared }: ChannelShape,
): ChannelCounter {
  const kernel = kernelOf(plan);
  const lowerer = new Lowerer(wasm, plan, lowering, channel, interleaved);
  return {
    wasm,
    add: (pixels) => kernel.count(wasm, lowerer.codes(pixels), plan, shared),
    finish() {
      if (shared === null) kernel.finish(wasm, lowerer.codeBytes, plan);
      const flow = lowerer.flow();
      if (shared === null) wasm.take_counts(plan.cells);
      // Bytes have no flow, and their kernel has cleared its tables.
      if (!plan.raw) wasm.reset(0);
      return { cells: shared === null ? wasm.sums.slice(0, plan.cells) : null, flow };
    },
  };
}

/** Pixels of one channel that are gathered at a time: 8 to 32 KiB, which fit a first-level cache. */
const GATHERED = 4096;

/** Counts in one stage: samples in place, or the gathered samples of one channel among several. */
function fused(
  wasm: Wasm,
  { plan }: CountWork,
  { id, of }: NonNullable<CountWork["setup"]>,
  { channel, interleaved }: ChannelShape,
): ChannelCounter {
  const kernel = kernelOf(plan).fused!;
  const { bytes } = SAMPLE_TRAITS[plan.type];
  if (wasm.loaded !== id) {
    kernel.load(wasm, of);
    wasm.loaded = id;
  }
  kernel.begin(wasm, of);
  return {
    wasm,
    add(pixels, address = wasm.chunk) {
      const first = address + channel * bytes;
      if (interleaved === 1) return kernel.count(wasm, of, first, pixels);
      for (let done = 0; done < pixels; done += GATHERED) {
        const some = Math.min(GATHERED, pixels - done);
        const start = kernel.gather(wasm, first + done * interleaved * bytes, some, { bytes, interleaved });
        kernel.count(wasm, of, start, some);
      }
    },
    finish() {
      kernel.finish(wasm);
      return rowsOf(wasm, plan);
    },
  };
}

/** Reads the rows: NaN, underflow, bins, overflow. */
function rowsOf({ sums }: Wasm, { cells }: ChannelsPlan): ChannelResult {
  return { cells: sums.slice(2, 2 + cells), flow: flowOf(sums[1]!, sums[cells + 2]!, sums[0]!) };
}

function flowOf(underflow: number, overflow: number, nan: number): Float64Array {
  const flow = new Float64Array(3);
  flow[UNDERFLOW] = underflow;
  flow[OVERFLOW] = overflow;
  flow[NAN] = nan;
  return flow;
}
