import type { CountJob, ResidentCounts, RunOptions, SegmentsInputs } from "../backend/index.ts";
import { FLOW_ROWS, STEP_BYTES, Turns } from "../base/index.ts";
import {
  eachSegmentRun,
  pixelsBefore,
  RunReader,
  SAMPLE_TRAITS,
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
  inputs: SegmentsInputs,
  options: RunOptions,
): Promise<SegmentCounts> {
  const start = performance.now();
  const counter = reference === null ? rowCounter(job) : rowCounter(job, simulated(job, reference));
  const rows = await countRows(job, counter, inputs, options);
  return { ...rows, timings: { readMs: 0, uploadMs: 0, kernelMs: performance.now() - start } };
}

/** Counts segments as `countOnHost` does, and keeps the rows as a device keeps them. */
export async function leaveOnHost(
  job: CountJob,
  reference: Reference | null,
  inputs: SegmentsInputs,
  options: RunOptions,
): Promise<ResidentCounts> {
  return new HostCounts(await countOnHost(job, reference, inputs, options), job.axis.bins);
}

async function countRows(
  { axis, lowering, plan }: CountJob,
  counter: RowCounter,
  { input, segments, into }: SegmentsInputs,
  { signal, onProgress }: RunOptions,
): Promise<Rows> {
  const rows = newRows(segments, { bins: axis.bins, flow: lowering.flow }, into);
  const of = samplesOf(input);
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
  return rows;
}
