import {
  type Input,
  limits,
  type RunOptions,
  type SegmentCounts,
  type SegmentRange,
  type Segments,
  type SegmentsInputs,
  segmentsIn,
} from "@polybin/core/backend";
import type { Timer } from "../../platform/index.ts";
import type { Context } from "../context.ts";
import { type RangeOfChunk, type RangeRows, recordSegments } from "../dispatch/segments.ts";
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
  { source }: Context,
  input: Input,
  segments: Segments,
  signal: AbortSignal | undefined,
): AsyncGenerator<Omit<RangeOfChunk, "rows">> {
  let begin = 0;
  for await (const chunk of source.chunks(input, signal)) {
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
  const reader = new RowsReader(context, steps, home, timer);
  let done = 0;
  let pixels = 0;
  try {
    for await (const { chunk, at, range } of cutChunks(context, input, segments, signal)) {
      const count = { steps, compiled: await compiling, segments };
      for (let first = range.first; first < range.end; first += steps.rangeSegments) {
        signal?.throwIfAborted();
        const part = { first, end: Math.min(range.end, first + steps.rangeSegments) };
        // Rows up to `done` already have counts from the previous chunk.
        await reader.read(part, Math.min(part.end, Math.max(part.first, done)), (encoder, rows) => {
          recordSegments(context, count, encoder, { chunk, at, range: part, rows }, timer);
        });
        done = Math.max(done, part.end);
      }
      // The next chunk reuses this chunk's memory as soon as the queue has finished with it.
      pixels += chunk.pixels;
      if (!chunk.last) await reader.settle();
      onProgress?.(pixels);
    }
    await reader.settle();
  } catch (error) {
    // Nothing is written to the user's memory afterwards.
    await reader.settle().catch(() => {});
    throw error;
  }
  // An input without pixels has no chunk.
  if (done === 0) {
    home.counts.fill(0);
    home.flow?.fill(0);
  }
  return { ...home, timings: { readMs: 0, uploadMs: 0, kernelMs: reader.kernelMs } };
}

/** Copies ranges of rows to the host in order. */
class RowsReader {
  kernelMs = 0;
  readonly #context: Context;
  readonly #steps: SegmentsSteps;
  readonly #home: RowsHome;
  readonly #timer: Timer | null;
  #underWay: Promise<void> | null = null;

  constructor(context: Context, steps: SegmentsSteps, home: RowsHome, timer: Timer | null) {
    this.#context = context;
    this.#steps = steps;
    this.#home = home;
    this.#timer = timer;
  }

  /**
   * Submits the commands that count a range and starts to read it. Rows before `added` are added to the rows on the
   * host.
   */
  async read(
    { first, end }: SegmentRange,
    added: number,
    record: (encoder: GPUCommandEncoder, rows: RangeRows) => void,
  ): Promise<void> {
    const { flowAt, words } = rangeWords(this.#steps, end - first);
    const { counts, flow } = this.#home;
    // The time of a pass starts when its commands begin, although it waits for the copy before it. So each pass is
    // timed alone.
    if (this.#timer !== null) await this.settle();
    this.#timer?.start();
    const before = this.#underWay;
    this.#underWay = deliver(
      this.#context,
      this.#timer,
      (encoder) => {
        const bytes = words * limits.WORD_BYTES;
        const buffer = this.#context.buffers.counts.of(bytes);
        record(encoder, { buffer, isClear: false, firstRow: 0, flowAt });
        return { buffer, bytes };
      },
      (found, ms) => {
        const { bins } = this.#steps;
        const rows = limits.FLOW_ROWS;
        bring(found.subarray(0, flowAt), counts, first * bins, (added - first) * bins);
        if (flow !== null) bring(found.subarray(flowAt), flow, first * rows, (added - first) * rows);
        this.kernelMs += total(ms);
      },
    );
    this.#underWay.catch(() => {});
    // At most two ranges are in flight. The previous one must arrive before this returns.
    await before;
  }

  /** Waits until all rows are on the host. */
  async settle(): Promise<void> {
    const last = this.#underWay;
    this.#underWay = null;
    await last;
  }
}

/** Copies numbers to their place. The first `added` of them are added to the existing numbers. */
function bring(from: Uint32Array, to: Uint32Array | Float64Array, at: number, added: number): void {
  for (let i = 0; i < added; i++) to[at + i]! += from[i]!;
  to.set(added === 0 ? from : from.subarray(added), at + added);
}
