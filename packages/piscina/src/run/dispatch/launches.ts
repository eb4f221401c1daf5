import type { RunOptions } from "@polybin/core/backend";
import { newControl, type Steps, stepAt, type Thread } from "../../counting/index.ts";
import type { Feed, Launch } from "./feed.ts";
import type { Pool } from "./pool.ts";
import { together } from "./together.ts";

/** Counts on the calling thread. @throws ERR_INPUT, and the signal's reason if the call was aborted */
export function feedHere(thread: Thread, feed: Feed, { signal, onProgress }: RunOptions): void {
  signal?.throwIfAborted();
  const { pixels, step } = feed.supply;
  for (const { from, to } of launchesOf(feed)) {
    let next = from;
    const take = () => {
      if (next >= to) return null;
      const first = next;
      next = Math.min(to, first + step);
      return stepAt(first, next);
    };
    feed.onAnswer(thread.run(feed.task({ kind: "own", take, control: null }, "here")));
    feed.end?.();
  }
  onProgress?.(pixels);
}

/** Counts on all threads. @returns the milliseconds spent on copying @throws the errors of `Pool.run` */
export async function feedPool(pool: Pool, feed: Feed, { signal, onProgress }: RunOptions): Promise<number> {
  const count = feed.supply.isHere ? together : byWorkers;
  let uploadMs = 0;
  for (const launch of launchesOf(feed)) {
    const options = { signal, onProgress: onProgress && ((done: number) => onProgress(launch.from + done)) };
    uploadMs += await count(pool, feed, launch, options);
    feed.end?.();
  }
  return uploadMs;
}

function* launchesOf({ most, supply: { pixels, step, pieces } }: Feed): Generator<Launch> {
  const unit = pieces?.pixels ?? step;
  const each = Math.max(1, Math.floor(most / unit)) * unit;
  for (let from = 0; from < pixels; from += each) yield { from, to: Math.min(pixels, from + each) };
}

/** Lets all workers take steps in turn. */
async function byWorkers(pool: Pool, feed: Feed, { from, to }: Launch, options: RunOptions): Promise<number> {
  const control = newControl();
  const { step } = feed.supply;
  const workers = Math.min(pool.threads, Math.ceil((to - from) / step));
  const steps: Steps = { kind: "shared", from, to, pixels: step, control };
  const tasks = Array.from({ length: workers }, (_, worker) => feed.task(steps, worker));
  for (const answer of await pool.run(tasks, control, options)) feed.onAnswer(answer);
  return 0;
}
