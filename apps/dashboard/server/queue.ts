import { Refusal } from "./refusal.ts";

/** Number of jobs that may wait in addition to the running one. */
const MOST_WAITING = 16;

/** Runs jobs one at a time, in order of arrival. Two at once would distort each other's times. */
export class Queue {
  readonly #waiting: (() => void)[] = [];
  #busy = false;

  /** Number of waiting jobs. */
  get length(): number {
    return this.#waiting.length;
  }

  get busy(): boolean {
    return this.#busy;
  }

  /** @throws Refusal 429 if too many jobs wait. */
  expectRoom(): void {
    if (this.#busy && this.#waiting.length >= MOST_WAITING) {
      throw new Refusal(429, "ERR_BUSY", `expected at most ${MOST_WAITING} waiting jobs; try again later`);
    }
  }

  /**
   * Runs the work when its turn comes. A job whose signal aborts while it waits leaves the queue.
   * @throws Refusal 429 if too many jobs wait; the signal's reason.
   */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#turn(signal);
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#busy = false;
      else next();
    }
  }

  #turn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (!this.#busy) {
      this.#busy = true;
      return Promise.resolve();
    }
    this.expectRoom();
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(start), 1);
        reject(signal.reason);
      };
      const start = () => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      this.#waiting.push(start);
      signal.addEventListener("abort", leave, { once: true });
    });
  }
}
