import {
  limits,
  type ReadOptions,
  type ResidentCounts,
  type RunOptions,
  type SegmentCounts,
  type SegmentRange,
  type Segments,
  type SegmentsInputs,
} from "@polybin/core/backend";
import { failure } from "../../base/index.ts";
import { allOrNone, Owned, padded } from "../../memory/index.ts";
import { USAGE } from "../../platform/index.ts";
import type { Context } from "../context.ts";
import { recordSegments } from "../dispatch/segments.ts";
import type { SegmentsSteps } from "../prepare/segments.ts";
import { deliver, submitted, total } from "./deliver.ts";
import { cutChunks, rangeWords, rowsHome } from "./segments.ts";

/** The rows of some segments, in a buffer of their own. */
interface RowsPart extends SegmentRange {
  readonly buffer: GPUBuffer;
}

/**
 * Counts segments into rows that stay on the device. Each buffer has as many rows as can be bound.
 * @throws ERR_LIMIT if a segment has 2^32 samples or more
 */
export async function leaveSegments(
  context: Context,
  steps: SegmentsSteps,
  { input, segments }: SegmentsInputs,
  { signal, onProgress, timed = false }: RunOptions,
): Promise<ResidentCounts> {
  const { hardware } = context;
  if (segments.longest > limits.U32_MAX) {
    throw failure(
      "ERR_LIMIT",
      `expected at most ${limits.U32_MAX} samples per segment for counts that stay on a WebGPU device, but received ${segments.longest}: omit leave`,
    );
  }
  signal?.throwIfAborted();
  const compiling = context.compiled(steps);
  return allOrNone(async (made) => {
    const parts = await makeRows(context, steps, segments, made);
    const timer = timed ? hardware.timer : null;
    let kernelMs = 0;
    let pixels = 0;
    for await (const { chunk, at, range } of cutChunks(context, input, segments, signal)) {
      signal?.throwIfAborted();
      const count = { steps, compiled: await compiling, segments };
      for (const { buffer, first, end } of parts) {
        const here = { first: Math.max(range.first, first), end: Math.min(range.end, end) };
        if (here.first >= here.end) continue;
        const { flowAt } = rangeWords(steps, end - first);
        const rows = { buffer, isClear: true, firstRow: here.first - first, flowAt };
        // Each part has another list, which is written to the same buffer. So each is a submission of its own.
        const record = (encoder: GPUCommandEncoder) => {
          recordSegments(context, count, encoder, { chunk, at, range: here, rows }, timer);
          return { buffer, bytes: 0 };
        };
        timer?.start();
        kernelMs += await deliver(context, timer, record, (_, ms) => total(ms));
      }
      pixels += chunk.pixels;
      onProgress?.(pixels);
    }
    return new WebgpuRows(context, steps, parts, kernelMs);
  });
}

/** Creates rows of zeros. Each buffer holds as many segments as one binding can cover. */
async function makeRows(
  context: Context,
  steps: SegmentsSteps,
  { count }: Segments,
  made: GPUBuffer[],
): Promise<readonly RowsPart[]> {
  const { hardware, spareRows, of } = context;
  const rowBytes = rangeWords(steps, 1).words * limits.WORD_BYTES;
  const most = Math.max(1, Math.floor(of.chunkBytes / rowBytes));
  const parts: RowsPart[] = [];
  for (let first = 0; first < count; first += most) {
    const end = Math.min(count, first + most);
    const size = padded(rangeWords(steps, end - first).words * limits.WORD_BYTES);
    const spare = spareRows.take(size);
    // One of another size is of no use here, and these rows may need its memory.
    if (spare === null) spareRows.free();
    const usage = USAGE.STORAGE | USAGE.COPY_SRC | USAGE.COPY_DST;
    const buffer = spare ?? (await hardware.checked(() => hardware.device.createBuffer({ size, usage })));
    made.push(buffer);
    parts.push({ first, end, buffer });
    if (spare !== null) await submitted(context, (encoder) => encoder.clearBuffer(buffer));
  }
  return parts;
}

/** Rows of counts in a device's buffers. */
class WebgpuRows extends Owned<RowsPart> implements ResidentCounts {
  readonly timings: ResidentCounts["timings"];
  readonly #context: Context;
  readonly #steps: SegmentsSteps;

  constructor(context: Context, steps: SegmentsSteps, parts: readonly RowsPart[], kernelMs: number) {
    super(context, "expected counts on the device but they were freed", parts, (buffer) => {
      context.spareRows.keep(buffer);
    });
    this.#context = context;
    this.#steps = steps;
    this.timings = { readMs: 0, uploadMs: 0, kernelMs };
  }

  async read(first: number, count: number, { signal, into }: ReadOptions): Promise<SegmentCounts> {
    const { bins, rangeSegments } = this.#steps;
    const { parts } = this;
    const home = rowsHome(this.#steps, count, 0, into);
    const end = first + count;
    for (const { buffer, ...part } of parts) {
      const last = Math.min(end, part.end);
      for (let from = Math.max(first, part.first); from < last; from += rangeSegments) {
        signal?.throwIfAborted();
        const to = Math.min(last, from + rangeSegments);
        const { flowAt } = rangeWords(this.#steps, part.end - part.first);
        /** Copies the rows of some numbers per segment, which begin at a word of the buffer. */
        const copy = (numbers: number, start: number, rows: Uint32Array | Float64Array) => {
          const offset = (start + (from - part.first) * numbers) * limits.WORD_BYTES;
          const bytes = (to - from) * numbers * limits.WORD_BYTES;
          const left = { buffer, offset, bytes };
          const at = (from - first) * numbers;
          return deliver(this.#context, null, left, (words) => rows.set(words, at));
        };
        await copy(bins, 0, home.counts);
        if (home.flow !== null) await copy(limits.FLOW_ROWS, flowAt, home.flow);
      }
    }
    return { ...home, timings: { readMs: 0, uploadMs: 0, kernelMs: 0 } };
  }
}
