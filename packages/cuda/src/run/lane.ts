import { setImmediate } from "node:timers";
import { Semaphore } from "@polybin/core/backend";
import type { Context } from "../border/index.ts";

/**
 * For so long after a call the event loop looks out for answers each time round: to wake it takes as long as a short call.
 */
const LOOKOUT_MS = 0.1;

/** A device. Calls that read or bring much go one after the other: those that wait their turn hold no thread of Node's pool. */
export class Lane {
  /** For calls that wait for no turn. */
  readonly context: Context;
  readonly #turns = new Semaphore(1);
  #until = 0;
  #isLooking = false;

  constructor(context: Context) {
    this.context = context;
  }

  /** What a call that the context's own threads answer comes to. */
  soon<T>(call: Promise<T>): Promise<T> {
    this.#until = performance.now() + LOOKOUT_MS;
    if (!this.#isLooking) {
      this.#isLooking = true;
      setImmediate(this.#look);
    }
    return call;
  }

  /** The addon wakes the event loop, too: whoever stops looking misses nothing. */
  readonly #look = (): void => {
    if (this.context.look() && performance.now() < this.#until) setImmediate(this.#look);
    else this.#isLooking = false;
  };

  /** @throws the signal's reason when it aborts before the call's turn. */
  run<T>(call: (context: Context) => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#turns.hold(() => call(this.context), signal);
  }
}
