/** Milliseconds of work after which other work of the thread gets its turn. */
const TURN_MS = 30;

/** Long work on one thread, step by step: between two steps timers, aborts and input have the thread now and then. */
export class Turns {
  readonly #signal: AbortSignal | undefined;
  #since: number = performance.now();

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
  }

  /** Has the thread been busy for long? */
  get due(): boolean {
    return performance.now() - this.#since >= TURN_MS;
  }

  /** Ends a step. @throws the signal's reason where it aborted. */
  async next(): Promise<void> {
    if (this.due) {
      await new Promise<void>((resolve) => setTimeout(resolve));
      this.#since = performance.now();
    }
    this.#signal?.throwIfAborted();
  }
}
