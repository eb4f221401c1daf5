import { PolybinError } from "@polybin/core";
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
import { padded } from "../memory/index.ts";
import { type Hardware, MAP, Timer, USAGE } from "../platform/index.ts";
import type { Context } from "./context.ts";
import type { SegmentsPipelines, SegmentsSteps } from "./prepare-segments.ts";
import { readBack } from "./readback.ts";
import { cutChunks, rangeWords, rowsHome, SegmentsRecorder } from "./segments.ts";

const WORD = limits.WORD_BYTES;

/** The rows of some segments, in a buffer of their own. */
export interface RowsPart extends SegmentRange {
  readonly buffer: GPUBuffer;
}

/**
 * Counts segments into rows that stay on the device. Each buffer has as many rows as can be bound.
 * @throws ERR_LIMIT if a segment has 2^32 samples or more
 */
export async function leaveSegments(
  context: Context,
  steps: SegmentsSteps,
  compiling: Promise<SegmentsPipelines>,
  { input, segments }: SegmentsInputs,
  { signal, onProgress, timed = false }: RunOptions,
  parts: RowsPart[],
): Promise<ResidentCounts["timings"]> {
  const { hardware } = context;
  if (segments.longest > limits.U32_MAX) {
    throw new PolybinError(
      "ERR_LIMIT",
      `expected at most ${limits.U32_MAX} samples per segment for counts that stay on a WebGPU device, but received ${segments.longest}: omit leave`,
      { backend: "webgpu" },
    );
  }
  signal?.throwIfAborted();
  await makeRows(context, steps, segments, parts);
  const timer = timed ? hardware.timer : null;
  let kernelMs = 0;
  let pixels = 0;
  for await (const { chunk, at, range } of cutChunks(context, input, segments, signal)) {
    signal?.throwIfAborted();
    const recorder = new SegmentsRecorder(context, steps, await compiling, segments);
    for (const part of parts) {
      const here = { first: Math.max(range.first, part.first), end: Math.min(range.end, part.end) };
      if (here.first >= here.end) continue;
      const { flowAt } = rangeWords(steps, part.end - part.first);
      const rows = { buffer: part.buffer, isClear: true, firstRow: here.first - part.first, flowAt };
      // Each part has another list, which is written to the same buffer. So each is a submission of its own.
      const record = (encoder: GPUCommandEncoder) => {
        recorder.record(encoder, { chunk, at }, here, rows, timer);
      };
      if (timer !== null) kernelMs += await timedAlone(context, timer, record);
      else await submitted(hardware, record);
    }
    await hardware.watched(hardware.device.queue.onSubmittedWorkDone());
    pixels += chunk.pixels;
    onProgress?.(pixels);
  }
  return { readMs: 0, uploadMs: 0, kernelMs };
}

/** Creates rows of zeros. Each buffer holds as many segments as one binding can cover. */
async function makeRows(
  { hardware, spareRows, of }: Context,
  steps: SegmentsSteps,
  { count }: Segments,
  parts: RowsPart[],
): Promise<void> {
  const rowBytes = rangeWords(steps, 1).words * WORD;
  const most = Math.max(1, Math.floor(of.chunkBytes / rowBytes));
  for (let first = 0; first < count; first += most) {
    const end = Math.min(count, first + most);
    const size = padded(rangeWords(steps, end - first).words * WORD);
    const spare = spareRows.take(size);
    if (spare !== null) {
      parts.push({ first, end, buffer: spare });
      await submitted(hardware, (encoder) => encoder.clearBuffer(spare));
      continue;
    }
    // One of another size is of no use here, and these rows may need its memory.
    spareRows.free();
    const usage = USAGE.STORAGE | USAGE.COPY_SRC | USAGE.COPY_DST;
    const buffer = await hardware.checked(() => hardware.device.createBuffer({ size, usage }));
    parts.push({ first, end, buffer });
  }
}

async function submitted(hardware: Hardware, record: (encoder: GPUCommandEncoder) => void): Promise<void> {
  await hardware.checked(() => {
    const encoder = hardware.device.createCommandEncoder();
    record(encoder);
    hardware.device.queue.submit([encoder.finish()]);
  });
}

/** Returns the duration of the recorded commands in milliseconds. No other commands run with them. */
async function timedAlone(
  { hardware, readbacks }: Context,
  timer: Timer,
  record: (encoder: GPUCommandEncoder) => void,
): Promise<number> {
  timer.start();
  const to = readbacks.idle(0) ?? readbacks.make(0);
  let isRead = false;
  try {
    const stamps = await readBack(hardware, (encoder) => {
      record(encoder);
      timer.resolve(encoder, to, 0);
      return { to, bytes: timer.bytes };
    });
    isRead = true;
    return Timer.milliseconds(new BigUint64Array(stamps));
  } finally {
    if (isRead) readbacks.give(to);
    else to.destroy();
  }
}

/** Rows of counts in a device's buffers. */
export class WebgpuRows implements ResidentCounts {
  readonly timings: ResidentCounts["timings"];
  readonly #hardware: Hardware;
  readonly #steps: SegmentsSteps;
  #parts: readonly RowsPart[] | null;
  readonly #free: (of: WebgpuRows, parts: readonly RowsPart[]) => Promise<void>;

  constructor(
    hardware: Hardware,
    steps: SegmentsSteps,
    parts: readonly RowsPart[],
    timings: ResidentCounts["timings"],
    free: (of: WebgpuRows, parts: readonly RowsPart[]) => Promise<void>,
  ) {
    this.#hardware = hardware;
    this.#steps = steps;
    this.#parts = parts;
    this.timings = timings;
    this.#free = free;
  }

  async read(first: number, count: number, { signal, into }: ReadOptions): Promise<SegmentCounts> {
    const parts = this.#parts;
    if (parts === null) {
      throw new PolybinError("ERR_INPUT", "expected counts on the device but they were freed", {
        backend: "webgpu",
      });
    }
    const { bins, rangeSegments } = this.#steps;
    const home = rowsHome(this.#steps, count, 0, into);
    const end = first + count;
    for (const part of parts) {
      const last = Math.min(end, part.end);
      for (let from = Math.max(first, part.first); from < last; from += rangeSegments) {
        signal?.throwIfAborted();
        const to = Math.min(last, from + rangeSegments);
        const { flowAt } = rangeWords(this.#steps, part.end - part.first);
        const at = from - part.first;
        const counts = await this.#words(part.buffer, at * bins, (to - from) * bins);
        home.counts.set(counts, (from - first) * bins);
        if (home.flow === null) continue;
        const rows = limits.FLOW_ROWS;
        home.flow.set(
          await this.#words(part.buffer, flowAt + at * rows, (to - from) * rows),
          (from - first) * rows,
        );
      }
    }
    return { ...home, timings: { readMs: 0, uploadMs: 0, kernelMs: 0 } };
  }

  async #words(from: GPUBuffer, first: number, words: number): Promise<Uint32Array> {
    const { device } = this.#hardware;
    const size = words * WORD;
    const { value: readback, errors } = this.#hardware.scoped(() => {
      const to = device.createBuffer({ size, usage: USAGE.MAP_READ | USAGE.COPY_DST });
      const encoder = device.createCommandEncoder();
      encoder.copyBufferToBuffer(from, first * WORD, to, 0, size);
      device.queue.submit([encoder.finish()]);
      return to;
    });
    try {
      await errors;
      await this.#hardware.watched(readback.mapAsync(MAP.READ));
      return new Uint32Array(readback.getMappedRange()).slice();
    } finally {
      readback.destroy();
    }
  }

  get freed(): boolean {
    return this.#parts === null;
  }

  async free(): Promise<void> {
    const parts = this.#parts;
    this.#parts = null;
    if (parts !== null) await this.#free(this, parts);
  }
}
