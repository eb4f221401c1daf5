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
  const all = {
    channel: steps.channel,
    count: chunk.pixels * steps.interleaved,
    rowBins: steps.bins,
    flowAt: rows.flowAt,
    adds: Number(adds),
    coded: Number(steps.coded),
  };
  const dispatches = cutDispatches(steps, cut, chunk.pixels).map(
    ({ values, isEven = false, scratch = "none" }): Dispatch => {
      const kernel = steps.kernels[isEven ? 1 : 0]!;
      const firstRow = values.firstRow + rows.firstRow;
      return {
        ...{ pipeline: compiled.get(kernel)!, kernel, data: chunk.data, scratch },
        params: { ...steps.params, ...values, ...all, firstRow },
        grid: fewer(steps.grid, values.parts),
      };
    },
  );
  const commands = placed([...chunk.before, ...dispatches], {
    nothing: buffers.nothing,
    lookup: buffers.lookups.of(steps.lookup),
    counts: { buffer: rows.buffer },
    codes: cut.listed.length === 0 ? null : listBuffer(context, cut, rows),
    dense: chunk.dense,
  });
  recordPass(context, encoder, commands, timer?.pass());
}

/** A dispatch over some of a chunk's segments. */
interface CutDispatch extends Partial<Pick<Dispatch, "scratch">> {
  readonly values: SegmentValues;
  readonly isEven?: boolean;
}

function cutDispatches(
  { kernels }: SegmentsSteps,
  { whole, listed }: CutChunk,
  pixels: number,
): CutDispatch[] {
  const found: CutDispatch[] = [];
  if (whole !== null) {
    const even = kernels.length === 1 ? 0 : evenParts(whole, pixels);
    if (even > 0) found.push({ values: { ...whole, parts: even }, isEven: true });
    // Each even segment is one part.
    const { parts, firstRow, start, every } = whole;
    const rest = { parts: parts - even, firstRow: firstRow + even, start: start + even * every };
    if (even < parts) found.push({ values: { ...whole, ...rest } });
  }
  const parts = listed.length / LISTED_WORDS;
  if (parts > 0) found.push({ values: { ...NO_SEGMENTS, cut: CUTS.listed, parts }, scratch: "codes" });
  return found;
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
