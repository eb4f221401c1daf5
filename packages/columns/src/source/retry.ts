import { setTimeout as wait } from "node:timers/promises";
import { PolybinError } from "@polybin/core";
import { expected } from "@polybin/core/backend";

/** Times that a read over a network is repeated by default. */
const DEFAULT_RETRIES = 3;
const MAX_RETRIES = 100;
/** Milliseconds before the first repetition. Each further one waits twice as long. */
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 10_000;

/** A failure that may pass: a dropped connection, a busy server. */
export class PassingFailure extends Error {}

/** @throws ERR_INPUT unless `retries` is a whole number from 0 to 100. */
export function checkedRetries(retries: unknown): number {
  if (retries === undefined) return DEFAULT_RETRIES;
  if (Number.isInteger(retries) && (retries as number) >= 0 && (retries as number) <= MAX_RETRIES)
    return retries as number;
  throw expected("ERR_INPUT", "retries", `a whole number from 0 to ${MAX_RETRIES}`, retries);
}

/**
 * Does work again as long as it throws a PassingFailure, at most `retries` times.
 * @throws ERR_INPUT with the last failure.
 */
export async function retried<T>(
  name: string,
  retries: number,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  for (let done = 0; ; done++) {
    try {
      return await work();
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof PassingFailure)) throw error;
      if (done === retries) {
        throw new PolybinError("ERR_INPUT", `${name}: ${error.message}, after ${done + 1} attempts`, {
          cause: error.cause ?? error,
        });
      }
      await wait(
        Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** done),
        undefined,
        signal === undefined ? {} : { signal },
      );
    }
  }
}
