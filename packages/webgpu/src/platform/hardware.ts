import { lost, ofInput, ofScope, outOfMemory } from "./errors.ts";
import { Pipelines } from "./pipelines.ts";
import { Timer } from "./timer.ts";

/** What calls gave, and a promise that rejects where the device refused one. */
export interface Scoped<T> {
  readonly value: T;
  readonly errors: Promise<void>;
}

/** Whether a device is there, and those that wait for it: not `lost.then` for each, which it would keep for good. */
interface Presence {
  lost: GPUDeviceLostInfo | null;
  readonly waiting: Set<(reason: unknown) => void>;
}

/** A GPUDevice, whether it is still there, and what all calls on it share. */
export class Hardware {
  readonly device: GPUDevice;
  /** Null where the device tells no times. */
  readonly timer: Timer | null;
  readonly #release: () => void;
  readonly #presence: Presence;
  #pipelines: Pipelines | null = null;
  #closed = false;

  /** `release` lets the device go. */
  constructor(device: GPUDevice, release: () => void) {
    this.device = device;
    this.#release = release;
    this.timer = device.features.has("timestamp-query") ? new Timer(device) : null;
    this.#presence = presenceOf(device);
  }

  /** What was compiled so far; nothing after `close`. */
  get pipelines(): Pipelines {
    this.#pipelines ??= new Pipelines(this.device);
    return this.#pipelines;
  }

  /**
   * Makes calls on the device, without a pause between them: an error scope sees the calls of others, too.
   * `errors` settles when it is known what became of them.
   */
  scoped<T>(calls: () => T): Scoped<T> {
    this.check();
    for (const filter of FILTERS) this.device.pushErrorScope(filter);
    let scopes: readonly Promise<GPUError | null>[] = [];
    try {
      const value = calls();
      scopes = FILTERS.map(() => this.device.popErrorScope());
      return { value, errors: this.#verdict(scopes) };
    } catch (error) {
      scopes = FILTERS.map(() => this.device.popErrorScope());
      for (const scope of scopes) scope.catch(() => {});
      // What a buffer that is mapped from the start throws.
      throw error instanceof RangeError ? outOfMemory(error.message, error) : error;
    }
  }

  /** The same, and waits for the verdict. @throws ERR_OUT_OF_MEMORY, ERR_DEVICE_LOST, ERR_INTERNAL */
  async checked<T>(calls: () => T): Promise<T> {
    const { value, errors } = this.scoped(calls);
    await errors;
    return value;
  }

  /** The same with what a user handed in. @throws ERR_INPUT with the sentence where the device refuses it */
  async accepted<T>(sentence: string, calls: () => T): Promise<T> {
    try {
      return await this.checked(calls);
    } catch (error) {
      throw ofInput(error, sentence);
    }
  }

  /** The validation error that calls cause, of which nothing else becomes known; null for none. */
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

  /** Waits for the device. @throws ERR_DEVICE_LOST where it was lost meanwhile. */
  async watched<T>(work: Promise<T>): Promise<T> {
    const gone = Promise.withResolvers<never>();
    gone.promise.catch(() => {});
    this.#presence.waiting.add(gone.reject);
    try {
      const value = await Promise.race([work, gone.promise]);
      this.check();
      return value;
    } catch (error) {
      // That the device was lost may become known a little later than that its work failed.
      await new Promise((resolve) => setTimeout(resolve, 0));
      this.check();
      throw error;
    } finally {
      this.#presence.waiting.delete(gone.reject);
    }
  }

  /** @throws ERR_DEVICE_LOST */
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

/** Apart from a Hardware, of which `lost` holds nothing then: a user's device outlives many engines. */
function presenceOf(device: GPUDevice): Presence {
  const presence: Presence = { lost: null, waiting: new Set() };
  device.lost.then((info) => {
    presence.lost = info;
    for (const reject of presence.waiting) reject(lost(info));
  });
  return presence;
}

const FILTERS = ["validation", "out-of-memory", "internal"] as const;
