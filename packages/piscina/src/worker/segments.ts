import { pixelsBefore, segmentAt } from "@polybin/core/backend";
import { Lowerer } from "../counting/index.ts";
import { kernelOf } from "../kernels/index.ts";
import { type Wasm, WORKER_CHUNK_BYTES } from "../platform/index.ts";
import {
  type Answer,
  addDone,
  isStopped,
  type Miscount,
  OrderReader,
  type SegmentsTask,
  takeNext,
} from "../task/index.ts";
import { RowWriter } from "./row-writer.ts";

/**
 * Counts the windows that this worker takes. A window has parts of segments. If a segment lies entirely in a window,
 * its row of the result belongs to this worker. If it begins before or ends after the window, its counts are added to
 * those of the other windows.
 *
 *   windows    |       0       |       1       |
 *   segments   | 0 | 1 |     2     |  3  |  4  | ...      two workers add to the row of 2; the other rows are written
 */
export function countSegments(task: SegmentsTask, wasm: Wasm): Answer {
  const { plan, lowering, windows, control } = task;
  const lowerer = new Lowerer(wasm, plan, lowering, task.channel, task.interleaved);
  const rows = new RowWriter(wasm, task, kernelOf(plan).rows!);
  const read = reader(task, wasm);
  let wrong: Miscount | null = null;
  while (wrong === null && !isStopped(control)) {
    const index = windows.from + takeNext(control);
    if (index >= windows.to) break;
    wrong = countWindow(index, task, lowerer, rows, read);
  }
  wasm.reset();
  return { kind: "segments", wrong };
}

function countWindow(
  index: number,
  { segments, windows, control, source }: SegmentsTask,
  lowerer: Lowerer,
  rows: RowWriter,
  read: (from: number, to: number) => void,
): Miscount | null {
  const chunk = Math.floor(WORKER_CHUNK_BYTES / source.geometry.pixelBytes);
  const from = index * windows.pixels;
  const to = Math.min(pixelsBefore(segments, segments.count), from + windows.pixels);
  let segment = segmentAt(segments, from);
  let start = pixelsBefore(segments, segment);
  let stop = pixelsBefore(segments, segment + 1);
  let begun = from;
  let wrong: Miscount | null = null;
  for (let first = from; first < to && !isStopped(control); first += chunk) {
    const last = Math.min(to, first + chunk);
    read(first, last);
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
    addDone(control, last - first);
  }
  rows.flush();
  return wrong;
}

/** Returns a function that copies pixels of the segments' order to CHUNK. */
function reader(
  { source, base, segments }: SegmentsTask,
  { memory, chunk }: Wasm,
): (from: number, to: number) => void {
  if (source.kind !== "memory") throw new Error("segments are not read from files");
  const { bytes, geometry } = source;
  const { pixelBytes } = geometry;
  const out = new Uint8Array(memory.buffer, chunk, WORKER_CHUNK_BYTES);
  if (base === null) {
    return new OrderReader(bytes, geometry, segments).into(out);
  }
  const piece = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return (from, to) => void piece.copy(out, 0, (from - base) * pixelBytes, (to - base) * pixelBytes);
}
