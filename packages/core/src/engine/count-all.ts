import { PolybinError, Turns } from "../base/index.ts";
import type { Source } from "../input/index.ts";
import { type Found, find, foundBeforehand, foundOn, isSmall } from "./count.ts";
import type { Host } from "./host.ts";
import type { Lifecycle } from "./lifecycle.ts";
import type { Job } from "./prepare.ts";

/** An input and how it is counted. */
export interface Part {
  readonly source: Source;
  readonly job: Job;
}

/** How a batch is counted. */
interface BatchOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timed: boolean;
}

/**
 * Counts each input by itself, in as few trips to the device as it can. When one fails the others are stopped, and nothing
 * runs any more once it rejects.
 */
export async function countAll(
  host: Host,
  lifecycle: Lifecycle,
  parts: readonly Part[],
  { signal: given, timed }: BatchOptions,
): Promise<Found[]> {
  const failed = new AbortController();
  const signal = given === undefined ? failed.signal : AbortSignal.any([given, failed.signal]);
  const turns = new Turns(signal);
  const all: Found[] = new Array(parts.length);
  const together = new Map<Job, number[]>();
  const running: Promise<void>[] = [];
  const run = (work: () => Promise<void>): void => {
    running.push(
      lifecycle.turn(work, signal).catch((error) => {
        failed.abort(error);
        throw error;
      }),
    );
  };
  try {
    for (const [i, { job, source }] of parts.entries()) {
      const found = foundBeforehand(job, source.pixels);
      if (found !== null) {
        all[i] = found;
        continue;
      }
      const { countAll, countSync } = job.prepared();
      if (countAll !== undefined) {
        const others = together.get(job);
        if (others === undefined) together.set(job, [i]);
        else others.push(i);
      } else if (countSync !== undefined && isSmall(host.device, source)) {
        all[i] = await find(host, job, source, { timed });
        if (turns.due) await turns.next();
      } else {
        run(async () => {
          all[i] = await find(host, job, source, { signal, timed });
        });
      }
    }
    for (const [job, which] of together) {
      run(async () => {
        const inputs = which.map((i) => parts[i]!.source.input);
        const counted = await job.prepared().countAll!(inputs, { signal, timed });
        signal.throwIfAborted();
        if (counted.length !== inputs.length) {
          const message = `expected counts of ${inputs.length} inputs but the device returned ${counted.length}`;
          throw new PolybinError("ERR_MISCOUNT", message, { algorithm: job.plan.algorithm });
        }
        for (const [at, i] of which.entries()) {
          all[i] = foundOn(host, job, counted[at]!, parts[i]!.source.pixels);
        }
      });
    }
  } catch (error) {
    failed.abort(error);
    await Promise.allSettled(running);
    throw error;
  }
  const ended = await Promise.allSettled(running);
  // The first that failed stopped the others: what they say is its error, too.
  if (ended.some(({ status }) => status === "rejected")) throw signal.reason;
  return all;
}
