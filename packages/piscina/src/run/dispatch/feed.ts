import type { RunOptions } from "@polybin/core/backend";
import { type Answer, newControl, type Steps, type Task, type Thread } from "../../counting/index.ts";
import { poolLimits } from "../../platform/index.ts";
import type { Pool } from "./pool.ts";

/** A call's samples, and the work of threads on them. */
export interface Feed {
  readonly supply: Supply;
  /** Pixels of a launch: no 32-bit counter is too small for them. */
  readonly most: number;
  /** Returns the task of a thread, or of the piece in a slot. */
  task(steps: Steps, place: number): Task;
  onAnswer(answer: Answer): void;
  /** Ends a launch, and takes its counts from tables that several threads share. */
  end?(): void;
}

/** How the samples of a call reach threads. */
export interface Supply {
  /** Number of pixels. */
  readonly pixels: number;
  /** Pixels that a thread counts at a time. */
  readonly step: number;
  /** Null: the threads can read the samples. */
  readonly pieces: Pieces | null;
}

/** Samples that are copied to slots of shared memory, piece by piece. */
export interface Pieces {
  /** Pixels of a piece. */
  readonly pixels: number;
  /** @throws ERR_INPUT if the samples' memory no longer exists */
  copy(first: number, end: number, slot: number): void;
}

/** Counts on the calling thread. @throws ERR_INPUT, and the signal's reason if the call was aborted */
export function feedHere(thread: Thread, feed: Feed, { signal, onProgress }: RunOptions): void {
  signal?.throwIfAborted();
  const most = pixelsOfLaunch(feed);
  const { pixels, step } = feed.supply;
  for (let from = 0; from < pixels; from += most) {
    const to = Math.min(pixels, from + most);
    feed.onAnswer(thread.run(feed.task({ from, to, pixels: step, control: null }, 0)));
    feed.end?.();
  }
  onProgress?.(pixels);
}

/** Counts on workers. @returns the milliseconds spent on copying @throws the errors of `Pool.run` */
export async function feedPool(pool: Pool, feed: Feed, { signal, onProgress }: RunOptions): Promise<number> {
  const most = pixelsOfLaunch(feed);
  const { pixels, pieces } = feed.supply;
  let uploadMs = 0;
  for (let from = 0; from < pixels; from += most) {
    const launch = { from, to: Math.min(pixels, from + most) };
    const options = { signal, onProgress: onProgress && ((done: number) => onProgress(from + done)) };
    if (pieces === null) await inTurn(pool, feed, launch, options);
    else uploadMs += await inPieces(pool, feed, pieces, launch, options);
    feed.end?.();
  }
  return uploadMs;
}

function pixelsOfLaunch({ most, supply: { step, pieces } }: Feed): number {
  const unit = pieces?.pixels ?? step;
  return Math.max(1, Math.floor(most / unit)) * unit;
}

/** The pixels [from, to). */
type Launch = Pick<Steps, "from" | "to">;

/** Lets all workers take steps in turn. */
async function inTurn(pool: Pool, feed: Feed, { from, to }: Launch, options: RunOptions): Promise<void> {
  const control = newControl();
  const { step } = feed.supply;
  const workers = Math.min(pool.threads, Math.ceil((to - from) / step));
  const steps = { from, to, pixels: step, control };
  const tasks = Array.from({ length: workers }, (_, worker) => feed.task(steps, worker));
  for (const answer of await pool.run(tasks, control, options)) feed.onAnswer(answer);
}

/**
 * Counts memory that is not shared piece by piece through a few slots of shared memory. While workers count some slots,
 * the next one is filled. The copies take bounded memory, whatever the number of samples.
 */
async function inPieces(
  pool: Pool,
  feed: Feed,
  { pixels, copy }: Pieces,
  { from, to }: Launch,
  { signal, onProgress }: RunOptions,
): Promise<number> {
  let next = from;
  let done = 0;
  let copyMs = 0;
  /** Takes pieces through one slot, one after the other, until there are none left. */
  const fill = async (slot: number): Promise<void> => {
    while (next < to) {
      const first = next;
      const end = Math.min(to, first + pixels);
      next = end;
      try {
        const start = performance.now();
        copy(first, end, slot);
        copyMs += performance.now() - start;
        const control = newControl();
        const task = feed.task({ from: first, to: end, pixels: feed.supply.step, control }, slot);
        const [answer] = await pool.run([task], control, { signal });
        feed.onAnswer(answer!);
        done += end - first;
        onProgress?.(done);
      } catch (error) {
        // The other slots take no further piece.
        next = to;
        throw error;
      }
    }
  };
  const length = Math.min(pool.threads * poolLimits.piecesPerThread, Math.ceil((to - from) / pixels));
  const slots = await Promise.allSettled(Array.from({ length }, (_, slot) => fill(slot)));
  for (const slot of slots) if (slot.status === "rejected") throw slot.reason;
  return copyMs;
}
