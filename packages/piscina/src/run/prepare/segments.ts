import {
  checkRow,
  HostCounts,
  limits,
  newRows,
  type PreparedSegments,
  type Rows,
  type SegmentsJob,
} from "@polybin/core/backend";
import type { Answer, ChannelsWork } from "../../counting/index.ts";
import { inShared, poolLimits, WORKER_CHUNK_BYTES } from "../../platform/index.ts";
import { timingsOf } from "../deliver/timings.ts";
import type { Feed } from "../dispatch/feed.ts";
import { feedPool } from "../dispatch/launches.ts";
import type { Pool } from "../dispatch/pool.ts";
import { withSupply } from "../dispatch/supply.ts";

/** Prepares counting of segments on a pool. Workers take windows of the segments' order in turn. */
export function prepareSegments(pool: Pool, job: SegmentsJob): PreparedSegments {
  const { plan, axis, lowering, interleaved, channels } = job;
  const work: ChannelsWork = { plan, interleaved, channels, lowering, setup: null };
  /** @throws ERR_MISCOUNT if a row's counts do not add up */
  const count: PreparedSegments["count"] = async ({ input, segments, into }, options) => {
    const start = performance.now();
    const isShared = into?.buffer instanceof SharedArrayBuffer;
    const shape = { bins: axis.bins, flow: lowering.flow };
    const rows = newRows(segments, shape, isShared ? into : undefined, sharedMemory);
    const { kind } = segments;
    const order = kind === "offsets" ? { ...segments, offsets: inShared(segments.offsets) } : segments;
    const task = {
      kind: "segments",
      work,
      segments: order,
      rows: { counts: asWords(rows.counts), flow: rows.flow && asWords(rows.flow) },
    } as const;
    const way = { order, stepOf: (pixelBytes: number) => windowPixels(plan.cells, pixelBytes) };
    const onAnswer = (answer: Answer): void => {
      if (answer.kind !== "segments" || answer.wrong === null) return;
      checkRow(answer.wrong.segment, answer.wrong.seen, answer.wrong.pixels, plan.algorithm);
    };
    const uploadMs = await withSupply(pool, input, way, (supply) => {
      const newTask: Feed["task"] = (steps, place) => ({ ...task, steps, at: supply.at(place) });
      return feedPool(pool, { supply, most: limits.MAX_SAMPLES, task: newTask, onAnswer }, options);
    });
    for (const numbers of [rows.counts, rows.flow]) {
      if (numbers instanceof Float64Array) wordsToDoubles(numbers);
    }
    if (!isShared) into?.set(rows.counts);
    return { counts: into ?? rows.counts, flow: rows.flow, timings: timingsOf(start, uploadMs, true) };
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

const sharedMemory = (bytes: number): SharedArrayBuffer => new SharedArrayBuffer(bytes);

/**
 * Returns the pixels per window. These are whole chunks, enough that adding the row of a segment that continues past a
 * window costs little compared with counting it.
 */
function windowPixels(cells: number, pixelBytes: number): number {
  const chunk = Math.floor(WORKER_CHUNK_BYTES / pixelBytes);
  const most = Math.floor(poolLimits.windowBytes / WORKER_CHUNK_BYTES);
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
