import { Semaphore } from "@polybin/core/backend";
import type { Context } from "../border/index.ts";

/** A device. Calls that read or bring much go one after the other: those that wait their turn hold no thread of Node's pool. */
export class Lane {
  /** For calls that wait for no turn. */
  readonly context: Context;
  readonly #turns = new Semaphore(1);

  constructor(context: Context) {
    this.context = context;
  }

  /** @throws the signal's reason when it aborts before the call's turn. */
  run<T>(call: (context: Context) => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#turns.hold(() => call(this.context), signal);
  }
}
