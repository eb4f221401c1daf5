import { Semaphore } from "@polybin/core/backend";

/** A device's calls, one after the other: they share its buffers. */
export class Lane {
  readonly #turns = new Semaphore(1);

  /** @throws the signal's reason when it aborts before the call's turn. */
  run<T>(call: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#turns.hold(call, signal);
  }
}
