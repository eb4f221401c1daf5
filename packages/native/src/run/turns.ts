import { JOBS_A_TURN } from "../platform/index.ts";

/**
 * Lets the event loop turn after some jobs. Node frees the addon's part of a job that nobody uses any more only between
 * two turns, and awaiting calls that this thread counts at once does not end a turn.
 */
export class Turns {
  #jobs = 0;

  /** Notes a new job. */
  add(): void {
    this.#jobs++;
    if (this.#jobs !== JOBS_A_TURN) return;
    setImmediate(() => {
      this.#jobs = 0;
    });
  }

  /** Whether calls have to wait for the next turn, because of the new jobs. */
  get isDue(): boolean {
    return this.#jobs >= JOBS_A_TURN;
  }

  /** Waits for the next turn if it is due. */
  async next(): Promise<void> {
    if (this.isDue) await new Promise<void>((resolve) => setImmediate(resolve));
  }
}
