import type { ChannelsPlan } from "@polybin/core";
import { type CountJob, type Lowering, limits, SAMPLE_TYPES, type SegmentGrid } from "@polybin/core/backend";
import type { NativeShape } from "../border/index.ts";
import { nativePlan } from "./prepare.ts";

/** A device's work on a plan for segments, frozen and printable. */
export type SegmentsLaunch = {
  /** Each device counts the segments that it has pixels of. */
  readonly devices: number;
  readonly kernels: readonly string[];
  readonly threads: number;
  readonly blocks: number;
  readonly sharedBytes: number;
  /** Samples of a part. A longer segment has several parts. */
  readonly partSamples: number;
  /** Segments whose counts are on the device at a time before they are copied to the host. */
  readonly rangeSegments: number;
  readonly lowering: Lowering["kind"] | "raw";
};

/** A job of the addon, without the parts that differ between calls. */
export interface PreparedSegments {
  readonly launch: SegmentsLaunch;
  readonly shape: NativeShape;
  readonly bins: number;
  readonly flow: boolean;
}

/** Prepares the devices' work. This is a pure function: numbers in, frozen objects out. */
export function prepareSegments(
  { type, interleaved, channels, lowering, plan }: Omit<CountJob, "axis">,
  devices: number,
): PreparedSegments {
  const { bins, flow } = lowering;
  const { algorithm, threads, blocks, sharedBytes, chunkSamples, raw } = plan;
  const { partSamples } = plan.own as SegmentGrid;
  const native = nativePlan(lowering, plan);
  const table = codesOf(lowering, plan);
  return Object.freeze({
    launch: Object.freeze({
      devices,
      kernels: Object.freeze([algorithm]),
      threads,
      blocks,
      sharedBytes,
      partSamples,
      rangeSegments: Math.max(1, Math.floor(limits.GPU_PIECE_BYTES / (bins * limits.WORD_BYTES))),
      lowering: raw ? "raw" : lowering.kind,
    }),
    shape: Object.freeze({
      wanted: Object.freeze({ type: SAMPLE_TYPES.indexOf(type), interleaved, channels }),
      ...native,
      ...(table !== null && { lowering: { ...native.lowering, table } }),
      launchPixels: chunkSamples,
    }),
    bins,
    flow,
  });
}

/** Returns the codes by which the device sorts raw values into bins, or null if each value is its own bin. */
function codesOf(lowering: Lowering, { raw }: ChannelsPlan): Uint32Array | null {
  if (!raw || lowering.kind !== "table") return null;
  const isBin = lowering.bins === limits.BYTE_VALUES && lowering.table.every((code, value) => code === value);
  return isBin ? null : lowering.table;
}
