import type { CountJob, ResidentCounts, RunOptions, SegmentsOptions } from "../backend/index.ts";
import { FLOW_ROWS, STEP_BYTES, Turns } from "../base/index.ts";
import {
  arrayOver,
  bytesFrom,
  eachSegmentRun,
  type Input,
  pixelsBefore,
  SAMPLE_TRAITS,
  type SampleArray,
  type Samples,
  type Segments,
  samplesOf,
  segmentPixels,
} from "../input/index.ts";
import type { Reference } from "../plan/index.ts";
import { checkRow, HostCounts, newRows, type Rows, type SegmentCounts } from "../result/index.ts";
import { type RowCounter, rowCounter, simulated } from "./row-counter.ts";

/** Counts segments sequentially on one JavaScript thread. @param reference the steps to simulate; null: rows are counted directly */
export async function countOnHost(
  job: CountJob,
  reference: Reference | null,
  input: Input,
  segments: Segments,
  { into, ...options }: SegmentsOptions,
): Promise<SegmentCounts> {
  const { axis, lowering } = job;
  const start = performance.now();
  const counter = reference === null ? rowCounter(job) : rowCounter(job, simulated(job, reference));
  const rows = newRows(segments, { bins: axis.bins, flow: lowering.flow }, into);
  await countRows(job, counter, samplesOf(input), segments, rows, options);
  return { ...rows, timings: { readMs: 0, uploadMs: 0, kernelMs: performance.now() - start } };
}

/** Counts segments as `countOnHost` does, and keeps the rows as a device keeps them. */
export async function leaveOnHost(
  job: CountJob,
  reference: Reference | null,
  input: Input,
  segments: Segments,
  options: RunOptions,
): Promise<ResidentCounts> {
  return new HostCounts(await countOnHost(job, reference, input, segments, options), job.axis.bins);
}

async function countRows(
  { axis, plan }: CountJob,
  counter: RowCounter,
  of: Samples,
  segments: Segments,
  rows: Rows,
  { signal, onProgress }: RunOptions,
): Promise<void> {
  const turns = new Turns(signal);
  const reader = new RunReader(of);
  const step = Math.max(1, Math.floor(STEP_BYTES / (SAMPLE_TRAITS[of.type].bytes * of.channels)));
  let sinceTurn = 0;
  for (let segment = 0; segment < segments.count; segment++) {
    const first = pixelsBefore(segments, segment);
    const pixels = segmentPixels(segments, segment);
    for (let from = first; from < first + pixels; ) {
      const to = Math.min(first + pixels, from + step - sinceTurn);
      eachSegmentRun(segments, from, to, (pixel, count) =>
        reader.each(pixel, count, (array, at, samples) => counter.add(array, at, samples)),
      );
      sinceTurn += to - from;
      from = to;
      if (sinceTurn === step) {
        sinceTurn = 0;
        onProgress?.(to);
        await turns.next();
      }
    }
    const seen = counter.into(rows, segment * axis.bins, segment * FLOW_ROWS);
    checkRow(segment, seen, pixels, plan.algorithm);
  }
}

/** Passes runs of pixels to a counter, in place if alignment allows, otherwise as copies. */
class RunReader {
  readonly #of: Samples;
  readonly #all: SampleArray | null;

  constructor(of: Samples) {
    const { type, bytes, rowPitch, dense } = of;
    const size = SAMPLE_TRAITS[type].bytes;
    const isAligned = bytes.byteOffset % size === 0 && (dense || rowPitch % size === 0);
    this.#of = of;
    this.#all = isAligned ? arrayOver(type, bytes) : null;
  }

  /** @param use receives an array, the start of the run in it, and the run's number of samples of all channels */
  each(pixel: number, count: number, use: (array: SampleArray, at: number, samples: number) => void): void {
    const { type, bytes, channels, width, rowPitch, dense } = this.#of;
    const size = SAMPLE_TRAITS[type].bytes;
    const pixelBytes = size * channels;
    for (let at = pixel; at < pixel + count; ) {
      const row = dense ? 0 : Math.floor(at / width);
      const some = dense ? count : Math.min(pixel + count - at, (row + 1) * width - at);
      const start = dense ? at * pixelBytes : row * rowPitch + (at - row * width) * pixelBytes;
      const length = some * pixelBytes;
      if (this.#all === null || bytes.byteLength < start + length) {
        const run = arrayOver(type, bytesFrom(bytes, start, length));
        use(run, 0, run.length);
      } else use(this.#all, start / size, some * channels);
      at += some;
    }
  }
}
