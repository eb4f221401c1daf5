import { PolybinError, Turns } from "../../base/index.ts";
import type { Source } from "../../input/index.ts";
import { type ChannelsCounts, find, foundBeforehand, foundOn, isSmall } from "../channels/count.ts";
import type { Job } from "../jobs/prepare.ts";
import type { Lifecycle } from "../opened/lifecycle.ts";
import type { OpenBackend } from "../opened/open-backend.ts";

/** An input and its job. */
export interface Part {
  readonly source: Source;
  readonly job: Job;
}

/** Options of a batch. */
interface BatchOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timed: boolean;
}

/**
 * Counts each input separately, in as few trips to the device as possible. If one input fails, the others are
 * stopped, and nothing runs any more when the promise rejects.
 */
export async function countAll(
  opened: OpenBackend,
  lifecycle: Lifecycle,
  parts: readonly Part[],
  { signal: given, timed }: BatchOptions,
): Promise<ChannelsCounts[]> {
  const stopping = new AbortController();
  const { signal } = stopping;
  // AbortSignal.any would retain some memory per call as long as a long-lived signal exists.
  const stop = (): void => stopping.abort(given!.reason);
  given?.addEventListener("abort", stop);
  const turns = new Turns(signal);
  const all: ChannelsCounts[] = new Array(parts.length);
  const together = new Map<Job, number[]>();
  const running: Promise<void>[] = [];
  const run = (work: () => Promise<void>): void => {
    running.push(
      lifecycle.turn(work, signal).catch((error) => {
        stopping.abort(error);
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
      const isWhole = job.counted.reduction === null;
      const { countAll, countSync } = job.prepared();
      if (isWhole && countAll !== undefined) {
        const others = together.get(job);
        if (others === undefined) together.set(job, [i]);
        else others.push(i);
      } else if (isWhole && countSync !== undefined && isSmall(opened.device, source)) {
        all[i] = await find(opened, job, source, { timed });
        if (turns.due) await turns.next();
      } else {
        run(async () => {
          all[i] = await find(opened, job, source, { signal, timed });
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
          all[i] = foundOn(opened, job, counted[at]!, parts[i]!.source.pixels);
        }
      });
    }
  } catch (error) {
    stopping.abort(error);
  } finally {
    await Promise.allSettled(running);
    given?.removeEventListener("abort", stop);
  }
  // The first failure stopped the others, so their errors are consequences of it.
  signal.throwIfAborted();
  return all;
}
