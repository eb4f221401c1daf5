import {
  HostCounts,
  newRows,
  type PreparedSegments,
  type Segments,
  type SegmentsJob,
  samplesOf,
} from "@polybin/core/backend";
import { type Native, packed, SEGMENTS } from "../border/index.ts";
import { timingsOf } from "./deliver.ts";
import { made, overMemory, readOf, watched } from "./dispatch.ts";
import { nativeSegments } from "./prepare.ts";

/** Prepares a count of segments on up to `threads` threads. */
export function prepareSegments(native: Native, threads: number, job: SegmentsJob): PreparedSegments {
  const { axis, lowering } = job;
  const { packed: numbers, launch } = nativeSegments(job, threads);
  const counter = made(() => new native.Counter(...numbers));
  const count: PreparedSegments["count"] = async ({ input, segments, into }, options) => {
    options.signal?.throwIfAborted();
    const since = options.timed ? performance.now() : null;
    const { bytes, width, height, rowPitch } = samplesOf(input);
    // Shared memory can be neither transferred nor made smaller while threads write to it.
    const isShared = into?.buffer instanceof SharedArrayBuffer;
    const shape = { bins: axis.bins, flow: lowering.flow };
    const rows = newRows(segments, shape, isShared ? into : undefined);
    const { cut, offsets, pixels } = cutOf(segments);
    const written = into === undefined ? [] : [[into, rows.counts.byteLength] as const];
    await overMemory([readOf(bytes), ...written], () =>
      watched(options, pixels, (watch) =>
        counter.segments(bytes, width, height, rowPitch, NONE, watch, cut, offsets, rows.counts, rows.flow),
      ),
    );
    if (!isShared) into?.set(rows.counts);
    return { counts: into ?? rows.counts, flow: rows.flow, timings: timingsOf(since) };
  };
  return {
    launch,
    count,
    leave: async (...call) => new HostCounts(await count(...call), axis.bins),
  };
}

const NONE = new Float64Array(0);

/** Returns segments as the addon takes them, and the number of their pixels. */
export function cutOf(of: Segments): {
  readonly cut: Uint8Array;
  readonly offsets: Float64Array;
  readonly pixels: number;
} {
  const offsets = of.kind === "offsets" ? of.offsets : NONE;
  const pixels = of.kind === "offsets" ? offsets.at(-1)! - offsets[0]! : of.pixels;
  const tiles = of.kind === "tiles" ? of : NO_TILES;
  const { width, height, columns, imageWidth, imageHeight } = tiles;
  const cut = packed(SEGMENTS, {
    cut: of.kind,
    columns,
    count: of.count,
    pixels,
    every: of.kind === "every" ? of.every : 0,
    width,
    height,
    imageWidth,
    imageHeight,
  });
  return { cut, offsets, pixels };
}

const NO_TILES = { width: 0, height: 0, columns: 0, imageWidth: 0, imageHeight: 0 };
