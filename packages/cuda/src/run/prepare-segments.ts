import type { Plan } from "@polybin/core";
import { type CountJob, type Lowering, limits, SAMPLE_TYPES, type SegmentGrid } from "@polybin/core/backend";
import type { NativeShape } from "../border/index.ts";
import { nativePlan } from "./prepare.ts";

/** What a device does with a plan for segments: frozen and printable. */
export type SegmentsLaunch = {
  /** Each counts the segments that it has pixels of. */
  readonly devices: number;
  readonly kernels: readonly string[];
  readonly threads: number;
  readonly blocks: number;
  readonly sharedBytes: number;
  /** Samples of a part: a longer segment is several of them. */
  readonly partSamples: number;
  /** Segments whose counts lie on the device at a time, on their way home. */
  readonly rangeSegments: number;
  readonly lowering: Lowering["kind"] | "raw";
};

/** A job of the addon without what each call has of its own. */
export interface PreparedSegments {
  readonly launch: SegmentsLaunch;
  readonly shape: NativeShape;
  readonly bins: number;
  readonly flow: boolean;
}

/** What the devices will do. Pure: numbers in, frozen objects out. */
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

/** The codes of raw values, which rows are sorted by on the device; null where a value is its bin. */
function codesOf(lowering: Lowering, { raw }: Plan): Uint32Array | null {
  if (!raw || lowering.kind !== "table") return null;
  const isBin = lowering.bins === limits.BYTE_VALUES && lowering.table.every((code, value) => code === value);
  return isBin ? null : lowering.table;
}
