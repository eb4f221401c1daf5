import {
  bytesFrom,
  type CountJob,
  checkRow,
  HostCounts,
  type Input,
  newRows,
  type PreparedSegments,
  pixelsBefore,
  type Rows,
  type RunOptions,
  type Segments,
  type SegmentsJob,
  samplesOf,
} from "@polybin/core/backend";
import { inShared, poolLimits, WORKER_CHUNK_BYTES } from "../platform/index.ts";
import {
  type Answer,
  newControl,
  OrderReader,
  type Reached,
  reach,
  type SegmentsTask,
} from "../task/index.ts";
import type { Pool } from "./pool.ts";
import { runSlots } from "./slots.ts";

/** Prepares counting of segments on a pool. Workers take windows of the segments' order in turn. */
export function prepareSegments(pool: Pool, job: SegmentsJob): PreparedSegments {
  const { plan, axis, lowering } = job;
  const rowsFor = (segments: Segments, into?: Uint32Array): Rows =>
    newRows(
      segments,
      { bins: axis.bins, flow: lowering.flow },
      into,
      (bytes) => new SharedArrayBuffer(bytes),
    );
  const count: PreparedSegments["count"] = async ({ input, segments, into }, options) => {
    const start = performance.now();
    const isShared = into?.buffer instanceof SharedArrayBuffer;
    const rows = rowsFor(segments, isShared ? into : undefined);
    const uploadMs = await countRows(pool, job, input, segments, rows, options);
    if (!isShared) into?.set(rows.counts);
    const timings = { readMs: 0, uploadMs, kernelMs: performance.now() - start - uploadMs };
    return { counts: into ?? rows.counts, flow: rows.flow, timings };
  };
  return {
    launch: Object.freeze({
      kernel: plan.algorithm,
      workers: pool.threads,
      chunkBytes: WORKER_CHUNK_BYTES,
      pieceBytes: poolLimits.pieceBytes,
    }),
    count,
    leave: async (...call) => new HostCounts(await count(...call), axis.bins),
  };
}

/** The properties that all tasks of a call share. */
type Common = Omit<SegmentsTask, "source" | "base" | "windows" | "control">;

/**
 * Counts segments into rows.
 * @returns the milliseconds spent on copying
 * @throws ERR_MISCOUNT if a row's counts do not add up, and the errors of `Pool.run`
 */
async function countRows(
  pool: Pool,
  { plan, lowering, interleaved, channels }: CountJob,
  input: Input,
  segments: Segments,
  rows: Rows,
  options: RunOptions,
): Promise<number> {
  const reached = await reach(input);
  const { pixelBytes } = reached.geometry;
  const perWindow = windowPixels(plan.cells, pixelBytes);
  const all = Math.ceil(pixelsBefore(segments, segments.count) / perWindow);
  const windows = { from: 0, to: all, pixels: perWindow };
  const common: Common = {
    interleaved,
    channel: channels[0]!,
    plan,
    lowering,
    segments: segments.kind === "offsets" ? { ...segments, offsets: inShared(segments.offsets) } : segments,
    rows: {
      counts: asWords(rows.counts),
      flow: rows.flow && asWords(rows.flow),
    },
  };
  const onAnswer = (answer: Answer): void => {
    if (answer.kind !== "segments" || answer.wrong === null) return;
    const { segment, seen, pixels } = answer.wrong;
    checkRow(segment, seen, pixels, plan.algorithm);
  };
  const copyMs = await (reached.source === null
    ? runPieces(pool, common, input, reached, windows, onAnswer, options)
    : runShared(pool, { ...common, source: reached.source, base: null, windows }, onAnswer, options));
  for (const numbers of [rows.counts, rows.flow])
    if (numbers instanceof Float64Array) wordsToDoubles(numbers);
  return copyMs;
}

/** Lets all workers take windows of one source in turn. */
async function runShared(
  pool: Pool,
  task: Omit<SegmentsTask, "control">,
  onAnswer: (answer: Answer) => void,
  options: RunOptions,
): Promise<number> {
  const control = newControl();
  const workers = Math.min(pool.threads, task.windows.to);
  const tasks = Array.from({ length: workers }, () => ({ ...task, control }));
  for (const answer of await pool.run(tasks, control, options)) onAnswer(answer);
  return 0;
}

/** Copies memory that is not shared in the order of segments, some windows at a time. */
function runPieces(
  pool: Pool,
  common: Common,
  input: Input,
  { geometry }: Reached,
  { to, pixels }: SegmentsTask["windows"],
  onAnswer: (answer: Answer) => void,
  options: RunOptions,
): Promise<number> {
  const { bytes } = samplesOf(input);
  const { pixelBytes } = geometry;
  const { segments } = common;
  const perPiece = Math.max(1, Math.floor(poolLimits.pieceBytes / pixelBytes / pixels));
  const pieces = Math.ceil(to / perPiece);
  const order = new OrderReader(bytes, geometry, segments);
  const end = pixelsBefore(segments, segments.count);
  return runSlots(
    pool,
    {
      from: 0,
      to: pieces,
      bytes: Math.min(perPiece * pixels, end) * pixelBytes,
      slots: Math.min(pool.threads * poolLimits.piecesPerThread, pieces),
      copy(piece, memory) {
        const first = piece * perPiece * pixels;
        const last = Math.min(end, first + perPiece * pixels);
        // All samples must still exist. The segments determine which of them are copied.
        bytesFrom(bytes, 0, (geometry.height - 1) * geometry.rowPitch + geometry.width * pixelBytes);
        order.into(memory)(first, last);
        return last - first;
      },
      task: (piece, memory, count, control) => ({
        ...common,
        source: {
          kind: "memory",
          geometry: { width: count, height: 1, rowPitch: count * pixelBytes, pixelBytes },
          bytes: memory,
        },
        base: piece * perPiece * pixels,
        windows: { from: piece * perPiece, to: Math.min(to, (piece + 1) * perPiece), pixels },
        control,
      }),
      onAnswer,
    },
    options,
  );
}

/**
 * Returns the pixels per window. These are whole chunks, enough that adding the row of a segment that continues past a
 * window costs little compared with counting it.
 */
function windowPixels(cells: number, pixelBytes: number): number {
  const chunk = Math.floor(WORKER_CHUNK_BYTES / pixelBytes);
  const most = Math.floor(poolLimits.pieceBytes / WORKER_CHUNK_BYTES);
  return chunk * Math.max(1, Math.min(most, Math.ceil((cells * poolLimits.samplesPerCell) / chunk)));
}

/** Float64 numbers have no atomics, so 64-bit counts stay integers until everything is counted. */
function asWords(numbers: Rows["counts"]): Uint32Array | BigUint64Array {
  if (numbers instanceof Uint32Array) return numbers;
  return new BigUint64Array(numbers.buffer, numbers.byteOffset, numbers.length);
}

function wordsToDoubles(numbers: Float64Array): void {
  const words = new BigUint64Array(numbers.buffer, numbers.byteOffset, numbers.length);
  for (let i = 0; i < words.length; i++) numbers[i] = Number(words[i]!);
}
