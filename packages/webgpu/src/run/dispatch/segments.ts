import { limits, type SegmentRange, type Segments } from "@polybin/core/backend";
import { CUTS, type Dispatch, LISTED_WORDS, NO_SEGMENTS, type SegmentValues } from "../../kernels/index.ts";
import type { ReadyChunk } from "../../memory/index.ts";
import type { Timer } from "../../platform/index.ts";
import type { Compiled, Context } from "../context.ts";
import type { SegmentsSteps } from "../prepare/segments.ts";
import { placed, recordPass } from "./commands.ts";
import { type CutChunk, cutChunk, evenParts, type Pixels } from "./cut-chunk.ts";

/** A count of segments that is ready to run. */
export interface SegmentsCount {
  readonly steps: SegmentsSteps;
  readonly compiled: Compiled;
  readonly segments: Segments;
}

/** A range of the segments of a chunk, and the rows that it is counted into. */
export interface RangeOfChunk {
  readonly chunk: ReadyChunk;
  /** The place of the chunk's pixels among all pixels. */
  readonly at: Pixels;
  readonly range: SegmentRange;
  readonly rows: RangeRows;
}

export interface RangeRows {
  readonly buffer: GPUBuffer;
  /** Whether the rows already hold zeros. */
  readonly isClear: boolean;
  /** The number of rows before the range's first, and the word where the flow starts. */
  readonly firstRow: number;
  readonly flowAt: number;
}

/** Records a pass that counts a range of a chunk's segments. Call this in an error scope. */
export function recordSegments(
  context: Context,
  { steps, compiled, segments }: SegmentsCount,
  encoder: GPUCommandEncoder,
  { chunk, at, range, rows }: RangeOfChunk,
  timer: Timer | null,
): void {
  const { buffers } = context;
  const cut = cutChunk(segments, range, at, steps.partSamples);
  const adds = cut.adds || steps.coded;
  if (adds && !rows.isClear) encoder.clearBuffer(rows.buffer);
  const { kernels, params, grid } = steps;
  const all = {
    channel: steps.channel,
    count: chunk.pixels * steps.interleaved,
    ...{ rowBins: steps.bins, flowAt: rows.flowAt, adds: Number(adds), coded: Number(steps.coded) },
  };
  const dispatches: Dispatch[] = [];
  const add = (values: SegmentValues, kernel = kernels[0]!, scratch: Dispatch["scratch"] = "none") => {
    if (values.parts === 0) return;
    dispatches.push({
      ...{ pipeline: compiled.get(kernel)!, kernel, data: chunk.data, scratch },
      params: { ...params, ...values, ...all, firstRow: values.firstRow + rows.firstRow },
      grid: fewer(grid, values.parts),
    });
  };
  if (cut.whole !== null) {
    const { parts, firstRow, start, every } = cut.whole;
    const even = kernels.length === 1 ? 0 : evenParts(cut.whole, chunk.pixels);
    add({ ...cut.whole, parts: even }, kernels[1]);
    // Each even segment is one part.
    const rest = { parts: parts - even, firstRow: firstRow + even, start: start + even * every };
    add({ ...cut.whole, ...rest });
  }
  const listed = cut.listed.length / LISTED_WORDS;
  add({ ...NO_SEGMENTS, cut: CUTS.listed, parts: listed }, kernels[0], "codes");
  const commands = placed([...chunk.before, ...dispatches], {
    nothing: buffers.nothing,
    lookup: buffers.lookups.of(steps.lookup),
    counts: { buffer: rows.buffer },
    codes: cut.listed.length === 0 ? null : listBuffer(context, cut, rows),
    dense: chunk.dense,
  });
  recordPass(context, encoder, commands, timer?.pass());
}

/** Writes the parts that are listed individually to a buffer. */
function listBuffer(
  { hardware, buffers }: Context,
  { listed }: CutChunk,
  { firstRow }: RangeRows,
): GPUBuffer {
  const words = Uint32Array.from(listed);
  for (let i = 0; i < words.length; i += LISTED_WORDS) words[i]! += firstRow;
  const buffer = buffers.list.of(words.byteLength);
  hardware.device.queue.writeBuffer(buffer, 0, words);
  return buffer;
}

/** Limits the grid to one workgroup per part. */
function fewer([x, y = 1, z = 1]: Dispatch["grid"], parts: number): Dispatch["grid"] {
  return y === 1 ? [Math.min(x, parts), 1, z] : [x, Math.min(y, limits.divideCeiling(parts, x)), z];
}
