import type { RunOptions } from "@polybin/core/backend";
import { type Answer, newControl, type Steps, type Task, type Thread } from "../../counting/index.ts";
import { poolLimits } from "../../platform/index.ts";
import type { Pool } from "./pool.ts";

/** The samples of a call, and what threads do with them. */
export interface Feed {
  /** Number of pixels. */
  readonly pixels: number;
  /** Pixels that a thread counts at a time. */
  readonly step: number;
  /** Pixels of a launch: no 32-bit counter is too small for them. */
  readonly most: number;
  /** How samples that workers cannot read reach them. Null: workers can read them. */
  readonly pieces: Pieces | null;
  /** Returns the task of a thread, or of the piece in a slot. */
  task(steps: Steps, place: number): Task;
  onAnswer(answer: Answer): void;
  /** Ends a launch, and takes its counts from tables that several threads share. */
  end?(): void;
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
  for (let from = 0; from < feed.pixels; from += most) {
    const to = Math.min(feed.pixels, from + most);
    feed.onAnswer(thread.run(feed.task({ from, to, pixels: feed.step, control: null }, 0)));
    feed.end?.();
  }
  onProgress?.(feed.pixels);
}

/** Counts on workers. @returns the milliseconds spent on copying @throws the errors of `Pool.run` */
export async function feedPool(pool: Pool, feed: Feed, { signal, onProgress }: RunOptions): Promise<number> {
  const most = pixelsOfLaunch(feed);
  let uploadMs = 0;
  for (let from = 0; from < feed.pixels; from += most) {
    const launch = { from, to: Math.min(feed.pixels, from + most) };
    const options = { signal, onProgress: onProgress && ((done: number) => onProgress(from + done)) };
    if (feed.pieces === null) await inTurn(pool, feed, launch, options);
    else uploadMs += await inPieces(pool, feed, feed.pieces, launch, options);
    feed.end?.();
  }
  return uploadMs;
}

function pixelsOfLaunch({ step, most, pieces }: Feed): number {
  const unit = pieces?.pixels ?? step;
  return Math.max(1, Math.floor(most / unit)) * unit;
}

/** The pixels [from, to). */
type Launch = Pick<Steps, "from" | "to">;

/** Lets all workers take steps in turn. */
async function inTurn(pool: Pool, feed: Feed, { from, to }: Launch, options: RunOptions): Promise<void> {
  const control = newControl();
  const workers = Math.min(pool.threads, Math.ceil((to - from) / feed.step));
  const steps = { from, to, pixels: feed.step, control };
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
        const task = feed.task({ from: first, to: end, pixels: feed.step, control }, slot);
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
