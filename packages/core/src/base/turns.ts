/** Milliseconds of work after which other work of the thread gets its turn. */
const TURN_MS = 30;

/**
 * Splits long work on one thread into steps. Between steps, timers, aborts and input get the thread from time to
 * time.
 */
export class Turns {
  readonly #signal: AbortSignal | undefined;
  #since: number = performance.now();

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
  }

  /** Whether the thread has been busy for `TURN_MS` or longer. */
  get due(): boolean {
    return performance.now() - this.#since >= TURN_MS;
  }

  /** Ends a step. @throws the signal's reason if it has aborted. */
  async next(): Promise<void> {
    if (this.due) {
      await new Promise<void>((resolve) => setTimeout(resolve));
      this.#since = performance.now();
    }
    this.#signal?.throwIfAborted();
  }
}
