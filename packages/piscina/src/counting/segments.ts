import { pixelsBefore, segmentAt } from "@polybin/core/backend";
import { type Read, readerOf } from "../input/index.ts";
import { kernelOf } from "../kernels/index.ts";
import { type Wasm, WORKER_CHUNK_BYTES } from "../platform/index.ts";
import { Lowerer } from "./lowerer.ts";
import { RowWriter } from "./row-writer.ts";
import { eachStep, type Step } from "./steps.ts";
import type { Miscount, SegmentsTask } from "./task.ts";

/**
 * Counts the windows that this thread takes: steps, which have parts of segments. If a segment lies entirely in a
 * window, its row of the result belongs to this worker. If it begins before or ends after the window, its counts are
 * added to those of the other windows.
 *
 *   windows    |       0       |       1       |
 *   segments   | 0 | 1 |     2     |  3  |  4  | ...      two workers add to the row of 2; the other rows are written
 */
export function countSegments(task: SegmentsTask, wasm: Wasm): Miscount | null {
  const { work, at, steps } = task;
  const lowerer = new Lowerer(wasm, work, work.channels[0]!);
  const rows = new RowWriter(wasm, task, kernelOf(work.plan).rows!);
  const read = readerOf(at, wasm.input);
  let wrong: Miscount | null = null;
  eachStep(steps, (window) => {
    wrong ??= countWindow(task, window, { lowerer, rows, read });
  });
  wasm.reset();
  return wrong;
}

interface Counting {
  readonly lowerer: Lowerer;
  readonly rows: RowWriter;
  readonly read: Read;
}

function countWindow(
  { segments, at: { source } }: SegmentsTask,
  { first: from, end: to, at: place }: Step,
  { lowerer, rows, read }: Counting,
): Miscount | null {
  const chunk = Math.floor(WORKER_CHUNK_BYTES / source.geometry.pixelBytes);
  let segment = segmentAt(segments, from);
  let start = pixelsBefore(segments, segment);
  let stop = pixelsBefore(segments, segment + 1);
  let begun = from;
  let wrong: Miscount | null = null;
  for (let first = from; first < to; first += chunk) {
    const last = Math.min(to, first + chunk);
    read(place + first - from, place + last - from);
    for (let at = first; at < last; ) {
      const until = Math.min(stop, last);
      rows.add(segment, lowerer.codes(until - at, at - first));
      at = until;
      if (at === stop || at === to) {
        wrong ??= rows.end(segment, at - begun, start >= from && stop <= to);
        begun = at;
      }
      // Go to the next segment that is not empty. One exists before `to`.
      while (at === stop && at < to) {
        segment++;
        start = stop;
        stop = pixelsBefore(segments, segment + 1);
      }
    }
  }
  rows.flush();
  return wrong;
}
