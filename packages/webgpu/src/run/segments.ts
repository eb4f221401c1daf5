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
import { CUTS, type Dispatch, LISTED_WORDS, NO_SEGMENTS, packed } from "../kernels/index.ts";
import type { ReadyChunk } from "../memory/index.ts";
import { type Hardware, MAP, Timer } from "../platform/index.ts";
import type { Context } from "./context.ts";
import { type CutChunk, type CutValues, cutChunk, evenParts, type Pixels } from "./cut-chunk.ts";
import { bind, encode } from "./encode.ts";
import type { SegmentsPipelines, SegmentsSteps } from "./prepare-segments.ts";

const WORD = limits.WORD_BYTES;

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

/** The rows that a range of a chunk's segments is counted into. */
export interface RangeRows {
  readonly buffer: GPUBuffer;
  /** Whether the rows already hold zeros. */
  readonly isClear: boolean;
  /** The number of rows before the range's first, and the word where the flow starts. */
  readonly firstRow: number;
  readonly flowAt: number;
}

/** Yields each chunk of an input with its pixels and the segments that have pixels in it. */
export async function* cutChunks(
  { source }: Context,
  input: Input,
  segments: Segments,
  signal: AbortSignal | undefined,
): AsyncGenerator<{ readonly chunk: ReadyChunk; readonly at: Pixels; readonly range: SegmentRange }> {
  let begin = 0;
  for await (const chunk of source.chunks(input, signal)) {
    const end = begin + chunk.pixels;
    yield { chunk, at: { begin, end }, range: segmentsIn(segments, begin, end) };
    begin = end;
  }
}

/** Records dispatches over segments together with their bindings. */
export class SegmentsRecorder {
  readonly #context: Context;
  readonly #steps: SegmentsSteps;
  readonly #pipelines: SegmentsPipelines;
  readonly #segments: Segments;

  constructor(context: Context, steps: SegmentsSteps, pipelines: SegmentsPipelines, segments: Segments) {
    this.#context = context;
    this.#steps = steps;
    this.#pipelines = pipelines;
    this.#segments = segments;
  }

  /** Counts a range of a chunk's segments into rows. Call this in an error scope. */
  record(
    encoder: GPUCommandEncoder,
    { chunk, at }: { readonly chunk: ReadyChunk; readonly at: Pixels },
    range: SegmentRange,
    rows: RangeRows,
    timer: Timer | null,
  ): void {
    const cut = cutChunk(this.#segments, range, at, this.#steps.partSamples);
    const adds = cut.adds || this.#steps.coded;
    if (adds && !rows.isClear) encoder.clearBuffer(rows.buffer);
    const dispatches = this.#dispatches(chunk, cut, rows, adds);
    const pass = encoder.beginComputePass(timer?.pass() ?? {});
    encode(pass, this.#bound([...chunk.before, ...dispatches], chunk, cut, rows));
    pass.end();
  }

  #dispatches(chunk: ReadyChunk, cut: CutChunk, rows: RangeRows, adds: boolean): Dispatch[] {
    const { kernel, even, grid, interleaved, channel, params, bins, coded } = this.#steps;
    const { any, even: evenPipeline } = this.#pipelines;
    const all = {
      channel,
      count: chunk.pixels * interleaved,
      rowBins: bins,
      flowAt: rows.flowAt,
      adds: Number(adds),
      coded: Number(coded),
    };
    const found: Dispatch[] = [];
    const add = (values: CutValues, scratch: Dispatch["scratch"], isEven = false) => {
      found.push({
        pipeline: isEven ? evenPipeline! : any,
        kernel: isEven ? even! : kernel,
        params: { ...params, ...values, ...all, firstRow: values.firstRow + rows.firstRow },
        data: chunk.data,
        scratch,
        grid: fewer(grid, values.parts),
      });
    };
    if (cut.whole !== null) {
      const { whole } = cut;
      const first = evenPipeline === null ? 0 : evenParts(whole, chunk.pixels);
      if (first > 0) add({ ...whole, parts: first }, "none", true);
      if (first < whole.parts) add(withoutFirst(whole, first), "none");
    }
    const parts = cut.listed.length / LISTED_WORDS;
    if (parts > 0) add({ ...NO_SEGMENTS, cut: CUTS.listed, parts }, "codes");
    return found;
  }

  #bound(dispatches: readonly Dispatch[], chunk: ReadyChunk, cut: CutChunk, rows: RangeRows) {
    const { hardware, buffers } = this.#context;
    const { device, pipelines } = hardware;
    const none = { buffer: buffers.nothingWritten };
    const { lookup } = this.#steps;
    const words = packed(dispatches);
    const params = buffers.params.of(words.byteLength);
    device.queue.writeBuffer(params, 0, words);
    return bind(device, dispatches, {
      pipelines,
      nothing: buffers.nothingRead,
      lookup: lookup === null ? buffers.nothingRead : buffers.lookups.of(lookup.key, lookup.words),
      counts: { buffer: rows.buffer },
      scratch: {
        none,
        codes: cut.listed.length === 0 ? none : { buffer: this.#list(cut, rows) },
        histograms: none,
        dense: chunk.dense === null ? none : { buffer: chunk.dense },
        into: none,
      },
      params,
    });
  }

  /** Writes the parts that are listed individually to a buffer. */
  #list({ listed }: CutChunk, { firstRow }: RangeRows): GPUBuffer {
    const { hardware, buffers } = this.#context;
    const words = Uint32Array.from(listed);
    for (let i = 0; i < words.length; i += LISTED_WORDS) words[i]! += firstRow;
    const buffer = buffers.documents.of(words.byteLength);
    hardware.device.queue.writeBuffer(buffer, 0, words);
    return buffer;
  }
}

/** Leaves out the first segments. Each of them is one part. */
function withoutFirst(whole: CutValues, segments: number): CutValues {
  if (segments === 0) return whole;
  const { parts, firstRow, start, every } = whole;
  return {
    ...whole,
    parts: parts - segments,
    firstRow: firstRow + segments,
    start: start + segments * every,
  };
}

/** Limits the grid to one workgroup per part. */
function fewer([x, y = 1, z = 1]: Dispatch["grid"], parts: number): Dispatch["grid"] {
  return y === 1 ? [Math.min(x, parts), 1, z] : [x, Math.min(y, limits.divideCeiling(parts, x)), z];
}

/**
 * Counts an input's segments and copies their rows to the host range by range. One range is read while the next is
 * counted.
 */
export async function countSegments(
  context: Context,
  steps: SegmentsSteps,
  compiling: Promise<SegmentsPipelines>,
  { input, segments, into }: SegmentsInputs,
  { signal, onProgress, timed = false }: RunOptions,
): Promise<SegmentCounts> {
  const { hardware } = context;
  signal?.throwIfAborted();
  const home = rowsHome(steps, segments.count, segments.longest, into);
  const timer = timed ? hardware.timer : null;
  const reader = new RowsReader(context, steps, home, timer);
  let done = 0;
  let pixels = 0;
  try {
    for await (const { chunk, at, range } of cutChunks(context, input, segments, signal)) {
      const recorder = new SegmentsRecorder(context, steps, await compiling, segments);
      for (let first = range.first; first < range.end; first += steps.rangeSegments) {
        signal?.throwIfAborted();
        const part = { first, end: Math.min(range.end, first + steps.rangeSegments) };
        // Rows up to `done` already have counts from the previous chunk.
        await reader.read(part, Math.min(part.end, Math.max(part.first, done)), (encoder, rows) => {
          recorder.record(encoder, { chunk, at }, part, rows, timer);
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
    await reader.drop();
    throw error;
  }
  // An input without pixels has no chunk.
  if (done === 0) {
    home.counts.fill(0);
    home.flow?.fill(0);
  }
  return { ...home, timings: { readMs: 0, uploadMs: 0, kernelMs: reader.kernelMs } };
}

/** Copies ranges of rows to the host in order, through two alternating buffers. */
class RowsReader {
  kernelMs = 0;
  readonly #hardware: Hardware;
  readonly #context: Context;
  readonly #steps: SegmentsSteps;
  readonly #home: RowsHome;
  readonly #timer: Timer | null;
  #underWay: Promise<void> | null = null;

  constructor(context: Context, steps: SegmentsSteps, home: RowsHome, timer: Timer | null) {
    this.#hardware = context.hardware;
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
    range: SegmentRange,
    added: number,
    record: (encoder: GPUCommandEncoder, rows: RangeRows) => void,
  ): Promise<void> {
    const { device } = this.#hardware;
    const { buffers, readbacks } = this.#context;
    const { flowAt, words } = rangeWords(this.#steps, range.end - range.first);
    const stampsAt = limits.divideCeiling(words * WORD, limits.VECTOR_BYTES) * limits.VECTOR_BYTES;
    const timer = this.#timer;
    // The time of a pass starts when its commands begin, although it waits for the copy before it. So each pass is
    // timed alone.
    if (timer !== null) await this.settle();
    timer?.start();
    const { value: readback, errors } = this.#hardware.scoped(() => {
      const encoder = device.createCommandEncoder();
      const counts = buffers.counts.of(words * WORD);
      record(encoder, { buffer: counts, isClear: false, firstRow: 0, flowAt });
      const size = stampsAt + (timer?.bytes ?? 0);
      const to = readbacks.idle(size) ?? readbacks.make(size);
      encoder.copyBufferToBuffer(counts, 0, to, 0, words * WORD);
      timer?.resolve(encoder, to, stampsAt);
      device.queue.submit([encoder.finish()]);
      return to;
    });
    const before = this.#underWay;
    this.#underWay = this.#home_(readback, errors, range, added, stampsAt);
    this.#underWay.catch(() => {});
    // At most two ranges are in flight. The previous one must arrive before this returns.
    await before;
  }

  async #home_(
    readback: GPUBuffer,
    errors: Promise<void>,
    { first, end }: SegmentRange,
    added: number,
    stampsAt: number,
  ): Promise<void> {
    const { bins } = this.#steps;
    let isRead = false;
    try {
      await errors;
      const stamps = this.#timer?.bytes ?? 0;
      await this.#hardware.watched(readback.mapAsync(MAP.READ, 0, stampsAt + stamps));
      const { flowAt, words } = rangeWords(this.#steps, end - first);
      const found = new Uint32Array(readback.getMappedRange(0, stampsAt), 0, words);
      bring(found.subarray(0, flowAt), this.#home.counts, first * bins, (added - first) * bins);
      const { flow } = this.#home;
      const rows = limits.FLOW_ROWS;
      if (flow !== null) bring(found.subarray(flowAt), flow, first * rows, (added - first) * rows);
      if (this.#timer !== null) {
        this.kernelMs += Timer.milliseconds(new BigUint64Array(readback.getMappedRange(stampsAt, stamps)));
      }
      readback.unmap();
      isRead = true;
    } finally {
      // A readback buffer that was refused or is still mapped cannot be reused.
      if (isRead) this.#context.readbacks.give(readback);
      else readback.destroy();
    }
  }

  /** Waits until all rows are on the host. */
  async settle(): Promise<void> {
    const last = this.#underWay;
    this.#underWay = null;
    await last;
  }

  /** Waits and ignores errors. Nothing is written to the user's memory afterwards. */
  async drop(): Promise<void> {
    await this.settle().catch(() => {});
  }
}

/** Copies numbers to their place. The first `added` of them are added to the existing numbers. */
function bring(from: Uint32Array, to: Uint32Array | Float64Array, at: number, added: number): void {
  for (let i = 0; i < added; i++) to[at + i]! += from[i]!;
  to.set(added === 0 ? from : from.subarray(added), at + added);
}
