import { lost, ofInput, ofScope, outOfMemory } from "./errors.ts";
import { Pipelines } from "./pipelines.ts";
import { Timer } from "./timer.ts";

/** The result of some calls, and a promise that rejects if the device refuses one of them. */
export interface Scoped<T> {
  readonly value: T;
  readonly errors: Promise<void>;
}

/**
 * Whether a device is still available, and the calls that wait for it. A `lost.then` for each call would never be
 * released.
 */
interface Presence {
  lost: GPUDeviceLostInfo | null;
  readonly waiting: Set<(reason: unknown) => void>;
}

/** A GPUDevice, whether it is still available, and what all calls on it share. */
export class Hardware {
  readonly device: GPUDevice;
  /** Null if the device reports no times. */
  readonly timer: Timer | null;
  readonly #release: () => void;
  readonly #presence: Presence;
  #pipelines: Pipelines | null = null;
  #closed = false;

  /** Opens a device; `release` lets it go. */
  constructor(device: GPUDevice, release: () => void) {
    this.device = device;
    this.#release = release;
    this.timer = device.features.has("timestamp-query") ? new Timer(device) : null;
    this.#presence = presenceOf(device);
  }

  /** The pipelines that have been compiled. `close` forgets them. */
  get pipelines(): Pipelines {
    this.#pipelines ??= new Pipelines(this.device);
    return this.#pipelines;
  }

  /**
   * Makes calls on the device. They must not pause in between, because an error scope also sees the calls of others.
   * `errors` settles when the device has accepted or refused them.
   */
  scoped<T>(calls: () => T): Scoped<T> {
    this.check();
    for (const filter of FILTERS) this.device.pushErrorScope(filter);
    const popped = () => FILTERS.map(() => this.device.popErrorScope());
    try {
      const value = calls();
      return { value, errors: this.#verdict(popped()) };
    } catch (error) {
      for (const scope of popped()) scope.catch(() => {});
      // Creating a buffer that is mapped from the start throws this error.
      throw error instanceof RangeError ? outOfMemory(error.message, error) : error;
    }
  }

  /** Does the same and waits for the verdict. @throws ERR_OUT_OF_MEMORY, ERR_DEVICE_LOST, ERR_INTERNAL */
  async checked<T>(calls: () => T): Promise<T> {
    const { value, errors } = this.scoped(calls);
    await errors;
    return value;
  }

  /** Does the same with what the user passed. @throws ERR_INPUT with the sentence if the device refuses it */
  async accepted<T>(sentence: string, calls: () => T): Promise<T> {
    try {
      return await this.checked(calls);
    } catch (error) {
      throw ofInput(error, sentence);
    }
  }

  /** Returns the validation error that the calls cause, or null. It is reported nowhere else. */
  async provoked(calls: () => void): Promise<GPUError | null> {
    this.check();
    this.device.pushErrorScope("validation");
    calls();
    return this.watched(this.device.popErrorScope());
  }

  async #verdict(scopes: readonly Promise<GPUError | null>[]): Promise<void> {
    const errors = await this.watched(Promise.all(scopes));
    for (const error of errors) if (error !== null) throw ofScope(error);
  }

  /** Waits for the device. @throws ERR_DEVICE_LOST if the device is lost meanwhile. */
  async watched<T>(work: Promise<T>): Promise<T> {
    const gone = Promise.withResolvers<never>();
    gone.promise.catch(() => {});
    this.#presence.waiting.add(gone.reject);
    try {
      const value = await Promise.race([work, gone.promise]);
      this.check();
      return value;
    } catch (error) {
      // The news that the device is lost may arrive a little later than the failure of its work.
      await new Promise((resolve) => setTimeout(resolve, 0));
      this.check();
      throw error;
    } finally {
      this.#presence.waiting.delete(gone.reject);
    }
  }

  /** @throws ERR_DEVICE_LOST if the device is lost. */
  check(): void {
    if (this.#presence.lost !== null) throw lost(this.#presence.lost);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.timer?.close();
    this.#pipelines = null;
    this.#release();
  }
}

/** Lies outside of Hardware, so that `lost` holds no reference to it: a user's device outlives many engines. */
function presenceOf(device: GPUDevice): Presence {
  const presence: Presence = { lost: null, waiting: new Set() };
  device.lost.then((info) => {
    presence.lost = info;
    for (const reject of presence.waiting) reject(lost(info));
  });
  return presence;
}

const FILTERS = ["validation", "out-of-memory", "internal"] as const;
