import type { Context } from "./native.ts";

/** A device's calls, one after the other: those that wait their turn hold no thread of Node's pool. */
export class Lane {
  readonly #context: Context;
  #last: Promise<unknown> = Promise.resolve();

  constructor(context: Context) {
    this.#context = context;
  }

  run<T>(call: (context: Context) => Promise<T>): Promise<T> {
    const turn = this.#last.then(() => call(this.#context));
    this.#last = turn.catch(() => {});
    return turn;
  }
}
