import { type Engine, integer, type Resident } from "@polybin/core";

/** A device that idled for longer than this lowers its clock, and takes longer under work the longer it idled. */
const IDLE_MS = 20;
const WAKE_MS = [300, 2000] as const;
/** What keeps a device awake between calls that leave it idle, and how long before each. */
const MOST_BYTES = 2 ** 28;
const AXIS = integer(0, 256);
const AWAKE_MS = 40;

/** What is known of a device's clock. */
interface Clocked {
  /** Does it lower its clock when it has little to do? */
  readonly sleeps: boolean;
  /** Is it imitated on the CPU? */
  readonly software?: boolean;
}

/** Keeps a GPU's clock up, so that no cell pays for the one before. */
export class Awake {
  readonly #device: Clocked;
  readonly #engine: Engine;
  readonly #bytes: number;
  #resident: Resident | null = null;
  /** When the device last worked. */
  #busyAt = 0;

  /** `bytes`: what may be put on the device to count in between. */
  constructor(device: Clocked, engine: Engine, bytes: number) {
    this.#device = device;
    this.#engine = engine;
    this.#bytes = Math.min(MOST_BYTES, bytes);
  }

  /** Calls so many times, and for as long as a device that idled takes to wake up. */
  async warmUp(call: () => Promise<unknown>, times: number, sparse: boolean): Promise<void> {
    const start = performance.now();
    const idleMs = start - this.#busyAt;
    const [least, most] = WAKE_MS;
    const idled = idleMs > IDLE_MS && !this.#device.software;
    const wakeMs = times > 0 && idled ? Math.min(most, Math.max(least, idleMs)) : 0;
    if (sparse) await this.#keepAwake(wakeMs);
    for (let i = 0; i < times || performance.now() - start < wakeMs; i++) await call();
  }

  /** Before a call that leaves the device idle for most of it. */
  between(): Promise<void> {
    return this.#keepAwake(AWAKE_MS);
  }

  /** It has worked until now. */
  worked(): void {
    this.#busyAt = performance.now();
  }

  /**
   * Counts bytes for so long. A device that has little to do, a millisecond in thirty, lowers its clock to a fifth after a
   * second or so, and the kernels of calls that mostly work on the host would be measured with that.
   */
  async #keepAwake(ms: number): Promise<void> {
    if (!this.#device.sleeps) return;
    const start = performance.now();
    this.#resident ??= await this.#engine.upload(new Uint8Array(this.#bytes));
    while (performance.now() - start < ms) await this.#engine.histogram(this.#resident, { axis: AXIS });
  }
}
