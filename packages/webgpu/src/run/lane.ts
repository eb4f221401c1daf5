import { Semaphore } from "@polybin/core/backend";

/** Runs a device's calls one at a time, because they share its buffers. */
export class Lane {
  readonly #turns = new Semaphore(1);

  /** Runs a call in its turn. @throws the signal's reason if it aborts before that. */
  run<T>(call: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#turns.hold(call, signal);
  }
}
