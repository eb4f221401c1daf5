import { expected, guarded, isPolybinError, PolybinError, Semaphore, type Talk } from "../base/index.ts";
import type { Resident } from "../input/index.ts";
import { CALLS_AT_ONCE } from "./limits.ts";

/** What close frees. */
type Freeable = Pick<Resident, "freed" | "free">;

/** The calls of an engine from when they are made until it is closed, and what they left on the device. */
export class Lifecycle {
  readonly #backend: string;
  /** Calls that were made and have not ended. */
  #running = 0;
  /** Tells `close` that the last of them has ended. */
  #ended: (() => void) | null = null;
  /** Who counts; the others wait, and hold nothing but their input. */
  readonly #turns: Semaphore;
  readonly #maxQueue: number;
  /** Each aborts when the engine closes: a call that waits for a user's stream would wait as long as that likes. */
  readonly #streams = new Set<AbortController>();
  /** What is to be freed at the end; weakly, so that a backend learns of residents that were forgotten. */
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

  /** A call. @throws ERR_UNAVAILABLE after `close`; ERR_INPUT for what is no signal; the signal's reason */
  async run<P, T>(talk: Talk<P>, work: (talk: Talk<P>) => Promise<T>): Promise<T> {
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

  /** What every call asks before it begins. @throws ERR_UNAVAILABLE after `close`; ERR_INPUT for what is no signal; the signal's reason */
  check(signal: AbortSignal | undefined): void {
    this.#checkOpen();
    if (signal === undefined) return;
    if (typeof signal?.throwIfAborted !== "function") {
      throw expected("ERR_INPUT", "signal", "an AbortSignal", signal);
    }
    signal.throwIfAborted();
  }

  /** Begins a call of its own turn, if nobody needs to wait for one: whoever asked `check` before, and says `leave` when it has ended. */
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

  /** A question that counts nothing and waits for nothing. @throws ERR_UNAVAILABLE after `close` */
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

  /** A call once its turn has come. @throws ERR_LIMIT where more wait than the user allows. */
  inTurn<P, T>(talk: Talk<P>, work: (talk: Talk<P>) => Promise<T>): Promise<T> {
    return this.run(talk, (guardedTalk) => this.ownTurn(() => work(guardedTalk), guardedTalk.signal));
  }

  /** The only turn of a call. @throws ERR_LIMIT where more wait than the user allows. */
  async ownTurn<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    if (this.#turns.full && this.#turns.waiting >= this.#maxQueue) {
      throw new PolybinError(
        "ERR_LIMIT",
        `expected at most ${this.#maxQueue} calls to wait, which maxQueue allows: wait for some before more are made`,
      );
    }
    return this.#turns.hold(work, signal);
  }

  /** A turn within a call, which a stream takes for each of its pieces, and a batch for each of its inputs. */
  turn<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    return this.#turns.hold(work, signal);
  }

  /** Work on a user's stream, with a signal that aborts when the engine closes. */
  async onStream<T>(signal: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const ending = new AbortController();
    const closed = ending.signal;
    this.#streams.add(ending);
    try {
      return await work(signal === undefined ? closed : AbortSignal.any([signal, closed]));
    } finally {
      this.#streams.delete(ending);
    }
  }

  /** Remembers what close must free. */
  keep(resident: Freeable): void {
    this.#residents = this.#residents.filter((other) => other.deref()?.freed === false);
    this.#residents.push(new WeakRef(resident));
  }

  /** Waits for the calls, frees what is left, and then does the last thing. Again is harmless. */
  close(last: () => Promise<void>): Promise<void> {
    this.#closing ??= this.#close(last);
    return this.#closing;
  }

  async #close(last: () => Promise<void>): Promise<void> {
    const closed = new PolybinError(
      "ERR_UNAVAILABLE",
      "expected the stream to end while the engine was open but it was closed; nothing was counted",
      { backend: this.#backend },
    );
    for (const stream of this.#streams) stream.abort(closed);
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

  /** Puts the backend's name on an error that does not say where it arose. */
  signed(error: unknown): unknown {
    if (!isPolybinError(error) || error.backend !== undefined) return error;
    const { code, message, algorithm, cause = error } = error;
    return new PolybinError(code, message, { backend: this.#backend, algorithm, cause });
  }
}
