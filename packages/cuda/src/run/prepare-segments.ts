import type { ChannelsPlan } from "@polybin/core";
import { type CountJob, type Lowering, limits, type SegmentGrid } from "@polybin/core/backend";
import type { NativeShape } from "../border/index.ts";
import { type CountsLaunch, countsLaunch, nativeShape } from "./shape.ts";

/** A device's work on a plan for segments, frozen and printable. Each device counts those that it has pixels of. */
export type SegmentsLaunch = CountsLaunch & {
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
export function prepareSegments(job: Omit<CountJob, "axis">, devices: number): PreparedSegments {
  const { lowering, plan } = job;
  const { bins, flow } = lowering;
  const { partSamples } = plan.own as SegmentGrid;
  const shape = nativeShape(job, plan);
  const table = codesOf(lowering, plan);
  return Object.freeze({
    launch: Object.freeze({
      ...countsLaunch(devices, [plan.algorithm], plan),
      partSamples,
      rangeSegments: Math.max(1, Math.floor(limits.GPU_PIECE_BYTES / (bins * limits.WORD_BYTES))),
      lowering: plan.raw ? "raw" : lowering.kind,
    }),
    shape: table === null ? shape : Object.freeze({ ...shape, lowering: { ...shape.lowering, table } }),
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
