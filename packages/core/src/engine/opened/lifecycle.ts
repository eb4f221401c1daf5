import {
  type CallControl,
  expected,
  guarded,
  isPolybinError,
  PolybinError,
  Semaphore,
} from "../../base/index.ts";
import type { Resident } from "../../input/index.ts";
import { CALLS_AT_ONCE } from "../limits.ts";

/** A resource that `close` frees. */
type Freeable = Pick<Resident, "freed" | "free">;

/** Tracks the calls of an engine until it is closed, and the resources that they left on the device. */
export class Lifecycle {
  readonly #backend: string;
  /** Number of calls that have begun and not ended. */
  #running = 0;
  /** Notifies `close` that the last call has ended. */
  #ended: (() => void) | null = null;
  /** Admits the calls that count. The others wait and hold only their input. */
  readonly #turns: Semaphore;
  readonly #maxQueue: number;
  /** Controllers that abort when the engine closes. Without them, a call could wait for a user's stream forever. */
  readonly #streams = new Set<AbortController>();
  /** Resources to free at the end. The references are weak, so that forgotten residents can still be collected. */
  #residents: WeakRef<Freeable>[] = [];
  #closing: Promise<void> | null = null;

  constructor(
    backend: string,
    callsAtOnce: number = CALLS_AT_ONCE,
    maxQueue: number = Number.POSITIVE_INFINITY,
  ) {
    this.#backend = backend;
    this.#turns = new Semaphore(callsAtOnce);
    this.#maxQueue = maxQueue;
  }

  /**
   * Runs a call.
   * @throws ERR_UNAVAILABLE after `close`.
   * @throws ERR_INPUT for an invalid signal.
   * @throws the signal's reason.
   */
  async run<P, T>(talk: CallControl<P>, work: (talk: CallControl<P>) => Promise<T>): Promise<T> {
    this.check(talk.signal);
    this.#running++;
    try {
      return await guarded(talk, work);
    } catch (error) {
      throw this.signed(error);
    } finally {
      this.#end();
    }
  }

  /**
   * Checks what every call requires.
   * @throws ERR_UNAVAILABLE after `close`.
   * @throws ERR_INPUT for an invalid signal.
   * @throws the signal's reason.
   */
  check(signal: AbortSignal | undefined): void {
    this.#checkOpen();
    if (signal === undefined) return;
    if (typeof signal?.throwIfAborted !== "function") {
      throw expected("ERR_INPUT", "signal", "an AbortSignal", signal);
    }
    signal.throwIfAborted();
  }

  /**
   * Begins a call without waiting, if its turn is available. Call `check` before it, and `leave` when the call has
   * ended.
   */
  tryEnter(): boolean {
    if (!this.#turns.tryEnter()) return false;
    this.#running++;
    return true;
  }

  leave(): void {
    this.#turns.leave();
    this.#end();
  }

  #end(): void {
    this.#running--;
    if (this.#running === 0) this.#ended?.();
  }

  /** Runs synchronous work that counts nothing. @throws ERR_UNAVAILABLE after `close` */
  ask<T>(work: () => T): T {
    try {
      this.#checkOpen();
      return work();
    } catch (error) {
      throw this.signed(error);
    }
  }

  #checkOpen(): void {
    if (this.#closing === null) return;
    throw new PolybinError("ERR_UNAVAILABLE", "expected an open engine but this one was closed", {
      backend: this.#backend,
    });
  }

  /** Runs a call when its turn comes. @throws ERR_LIMIT if more calls wait than maxQueue allows. */
  inTurn<P, T>(talk: CallControl<P>, work: (talk: CallControl<P>) => Promise<T>): Promise<T> {
    return this.run(talk, (guardedTalk) => this.ownTurn(() => work(guardedTalk), guardedTalk.signal));
  }

  /** Takes the single turn of a call. @throws ERR_LIMIT if more calls wait than maxQueue allows. */
  async ownTurn<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    if (this.#turns.full && this.#turns.waiting >= this.#maxQueue) {
      throw new PolybinError(
        "ERR_LIMIT",
        `expected at most ${this.#maxQueue} waiting calls, as maxQueue says: await some calls before you make more`,
      );
    }
    return this.#turns.hold(work, signal);
  }

  /** Takes one turn within a call: one per piece of a stream, or per input of a batch. */
  turn<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    return this.#turns.hold(work, signal);
  }

  /** Runs work on a user's stream, with a signal that also aborts when the engine closes. */
  async onStream<T>(signal: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const ending = new AbortController();
    const closed = ending.signal;
    this.#streams.add(ending);
    // The engine may have been closed while the call loaded its code.
    if (this.#closing !== null) ending.abort(this.#unread());
    try {
      return await work(signal === undefined ? closed : AbortSignal.any([signal, closed]));
    } finally {
      this.#streams.delete(ending);
    }
  }

  /** Registers a resource that `close` frees. */
  keep(resident: Freeable): void {
    this.#residents = this.#residents.filter((other) => other.deref()?.freed === false);
    this.#residents.push(new WeakRef(resident));
  }

  /** Waits for the calls, frees the remaining resources, then runs `last`. You can call it more than once. */
  close(last: () => Promise<void>): Promise<void> {
    this.#closing ??= this.#close(last);
    return this.#closing;
  }

  async #close(last: () => Promise<void>): Promise<void> {
    for (const stream of this.#streams) stream.abort(this.#unread());
    if (this.#running > 0) {
      await new Promise<void>((resolve) => {
        this.#ended = resolve;
      });
    }
    try {
      await Promise.all(this.#residents.map((resident) => resident.deref()?.free()));
    } finally {
      await last();
    }
  }

  /** The error of a call whose stream was still being read when the engine closed. */
  #unread(): PolybinError {
    return new PolybinError(
      "ERR_UNAVAILABLE",
      "expected the stream to end before the engine was closed but it did not; nothing was counted",
      { backend: this.#backend },
    );
  }

  /** Adds the backend's name to an error that has none. */
  signed(error: unknown): unknown {
    if (!isPolybinError(error) || error.backend !== undefined) return error;
    const { code, message, algorithm, cause = error } = error;
    return new PolybinError(code, message, { backend: this.#backend, algorithm, cause });
  }
}
