import { type Engine, integer, type Resident } from "@polybin/core";

/** A device that idles longer than this lowers its clock. The longer it idled, the longer it needs to recover under load. */
const IDLE_MS = 20;
const WAKE_MS = [300, 2000] as const;
/** The work that keeps a device awake before each call that leaves it mostly idle, and its duration. */
const MOST_BYTES = 2 ** 28;
const AXIS = integer(0, 256);
const AWAKE_MS = 40;
/** Counts that are waited for together. One at a time leaves a device idle for longer than it works. */
const TOGETHER = 8;

/** The properties of a device's clock. */
interface Clocked {
  /** Whether it lowers its clock under low load. */
  readonly sleeps: boolean;
  /** Whether software imitates it on the CPU. */
  readonly software?: boolean;
}

/** Keeps a GPU's clock up, so that the previous cell does not affect the next one. */
export class Awake {
  readonly #device: Clocked;
  readonly #engine: Engine;
  readonly #bytes: number;
  #resident: Resident | null = null;
  /** When the device last worked. */
  #busyAt = 0;

  /** @param bytes size in bytes of the data that it may upload to keep the device busy */
  constructor(device: Clocked, engine: Engine, bytes: number) {
    this.#device = device;
    this.#engine = engine;
    this.#bytes = Math.min(MOST_BYTES, bytes);
  }

  /**
   * Calls `times` times, and for as long as an idle device takes to wake up. A device that sleeps is woken by other work,
   * because the calls themselves may leave it idle, and before each cell, because those of many cells do.
   */
  async warmUp(call: () => Promise<unknown>, times: number): Promise<void> {
    const start = performance.now();
    const idleMs = start - this.#busyAt;
    const [least, most] = WAKE_MS;
    const idled = idleMs > IDLE_MS && !this.#device.software;
    const wakeMs = times > 0 && idled ? Math.min(most, Math.max(least, idleMs)) : 0;
    if (times > 0) await this.#keepAwake(Math.max(AWAKE_MS, wakeMs));
    for (let i = 0; i < times || performance.now() - start < wakeMs; i++) await call();
  }

  /** Runs before a call that leaves the device mostly idle. */
  between(): Promise<void> {
    return this.#keepAwake(AWAKE_MS);
  }

  /** Records that the device has worked until now. */
  worked(): void {
    this.#busyAt = performance.now();
  }

  /**
   * Counts bytes for `ms` milliseconds. A device that works one millisecond in thirty lowers its clock to a fifth after
   * about a second. Calls that mostly work on the host would then be measured at that clock.
   */
  async #keepAwake(ms: number): Promise<void> {
    if (!this.#device.sleeps || this.#device.software) return;
    const start = performance.now();
    this.#resident ??= await this.#engine.upload(new Uint8Array(this.#bytes));
    const resident = this.#resident;
    while (performance.now() - start < ms) {
      await Promise.all(
        Array.from({ length: TOGETHER }, () => this.#engine.histogram(resident, { axis: AXIS })),
      );
    }
  }
}
