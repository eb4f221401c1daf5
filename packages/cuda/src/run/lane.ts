import { setImmediate } from "node:timers";
import { Semaphore } from "@polybin/core/backend";
import type { Context } from "../border/index.ts";

/**
 * Milliseconds after a call for which the event loop checks for answers on each turn. Waking it takes as long as a
 * short call.
 */
const LOOKOUT_MS = 0.1;

/**
 * A device. Calls that read or copy much data run one at a time. Those that wait for their turn occupy no thread of
 * Node's pool.
 */
export class Lane {
  /** For calls that wait for no turn. */
  readonly context: Context;
  readonly #turns = new Semaphore(1);
  #until = 0;
  #isLooking = false;

  constructor(context: Context) {
    this.context = context;
  }

  /** Returns the result of a call that the context's own threads answer. */
  soon<T>(call: Promise<T>): Promise<T> {
    this.#until = performance.now() + LOOKOUT_MS;
    if (!this.#isLooking) {
      this.#isLooking = true;
      setImmediate(this.#look);
    }
    return call;
  }

  /** The addon also wakes the event loop, so no answer is lost when the checks stop. */
  readonly #look = (): void => {
    if (this.context.look() && performance.now() < this.#until) setImmediate(this.#look);
    else this.#isLooking = false;
  };

  /** Runs a call in its turn. @throws the signal's reason if it aborts before that. */
  run<T>(call: (context: Context) => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#turns.hold(() => call(this.context), signal);
  }
}
