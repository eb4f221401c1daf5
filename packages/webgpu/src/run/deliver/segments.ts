import {
  type Input,
  limits,
  type RunOptions,
  type SegmentCounts,
  type Segments,
  type SegmentsInputs,
  segmentsIn,
} from "@polybin/core/backend";
import { chunksOf } from "../../memory/index.ts";
import type { Context } from "../context.ts";
import { type RangeOfChunk, recordSegments, type SegmentsCount } from "../dispatch/segments.ts";
import type { SegmentsSteps } from "../prepare/segments.ts";
import { deliver, total } from "./deliver.ts";

/** Counts and flow of segments in host memory. */
export interface RowsHome {
  readonly counts: Uint32Array | Float64Array;
  readonly flow: Uint32Array | Float64Array | null;
}

/** Allocates rows for this number of segments. */
export function rowsHome(
  { bins, flow }: SegmentsSteps,
  segments: number,
  longest: number,
  into: Uint32Array | undefined,
): RowsHome {
  const isWide = longest > limits.U32_MAX;
  const of = (length: number) => (isWide ? new Float64Array(length) : new Uint32Array(length));
  return { counts: into ?? of(segments * bins), flow: flow ? of(segments * limits.FLOW_ROWS) : null };
}

/** Returns the number of words of a range's counts and flow, and the word where the flow starts. */
export function rangeWords(
  { bins, flow }: SegmentsSteps,
  segments: number,
): { flowAt: number; words: number } {
  const flowAt = segments * bins;
  return { flowAt, words: flowAt + (flow ? segments * limits.FLOW_ROWS : 0) };
}

/** Yields each chunk of an input with its pixels and the segments that have pixels in it. */
export async function* cutChunks(
  context: Context,
  input: Input,
  segments: Segments,
  signal: AbortSignal | undefined,
): AsyncGenerator<Omit<RangeOfChunk, "rows">> {
  let begin = 0;
  for await (const chunk of chunksOf(context, input, { signal })) {
    const end = begin + chunk.pixels;
    yield { chunk, at: { begin, end }, range: segmentsIn(segments, begin, end) };
    begin = end;
  }
}

/**
 * Counts an input's segments and copies their rows to the host range by range. One range is read while the next is
 * counted.
 */
export async function countSegments(
  context: Context,
  steps: SegmentsSteps,
  { input, segments, into }: SegmentsInputs,
  { signal, onProgress, timed = false }: RunOptions,
): Promise<SegmentCounts> {
  signal?.throwIfAborted();
  const compiling = context.compiled(steps);
  const home = rowsHome(steps, segments.count, segments.longest, into);
  const timer = timed ? context.hardware.timer : null;
  let kernelMs = 0;
  let done = 0;
  let pixels = 0;
  let underWay = Promise.resolve();
  /** Submits the commands that count a range. Rows before `added` are added to the rows on the host. */
  const read = (count: SegmentsCount, of: Omit<RangeOfChunk, "rows">, added: number) => {
    const { first, end } = of.range;
    const { flowAt, words } = rangeWords(steps, end - first);
    timer?.start();
    const record = (encoder: GPUCommandEncoder) => {
      const bytes = words * limits.WORD_BYTES;
      const buffer = context.buffers.counts.of(bytes);
      const rows = { buffer, isClear: false, firstRow: 0, flowAt };
      recordSegments(context, count, encoder, { ...of, rows }, timer);
      return { buffer, bytes };
    };
    return deliver(context, timer, record, (found, ms) => {
      const { bins } = steps;
      const rows = limits.FLOW_ROWS;
      bring(found.subarray(0, flowAt), home.counts, first * bins, (added - first) * bins);
      if (home.flow) bring(found.subarray(flowAt), home.flow, first * rows, (added - first) * rows);
      kernelMs += total(ms);
    });
  };
  try {
    for await (const { chunk, at, range } of cutChunks(context, input, segments, signal)) {
      const count = { steps, compiled: await compiling, segments };
      for (let { first } = range; first < range.end; first += steps.rangeSegments) {
        signal?.throwIfAborted();
        const end = Math.min(range.end, first + steps.rangeSegments);
        // The time of a pass starts when its commands begin, although it waits for the copy before it. So each pass is
        // timed alone.
        if (timer !== null) await underWay;
        const before = underWay;
        // Rows up to `done` already have counts from the previous chunk.
        const added = Math.min(end, Math.max(first, done));
        underWay = read(count, { chunk, at, range: { first, end } }, added);
        underWay.catch(() => {});
        // At most two ranges are in flight. The previous one must arrive before the next is counted.
        await before;
        done = Math.max(done, end);
      }
      // The next chunk reuses this chunk's memory as soon as the queue has finished with it.
      pixels += chunk.pixels;
      if (!chunk.last) await underWay;
      onProgress?.(pixels);
    }
    await underWay;
  } catch (error) {
    // Nothing is written to the user's memory afterwards.
    await underWay.catch(() => {});
    throw error;
  }
  // An input without pixels has no chunk.
  if (done === 0) {
    home.counts.fill(0);
    home.flow?.fill(0);
  }
  return { ...home, timings: { readMs: 0, uploadMs: 0, kernelMs } };
}

/** Copies numbers to their place. The first `added` of them are added to the existing numbers. */
function bring(from: Uint32Array, to: Uint32Array | Float64Array, at: number, added: number): void {
  for (let i = 0; i < added; i++) to[at + i]! += from[i]!;
  to.set(added === 0 ? from : from.subarray(added), at + added);
}
