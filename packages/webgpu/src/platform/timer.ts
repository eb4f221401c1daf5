import { USAGE } from "./flags.ts";
import * as own from "./limits.ts";

const STAMP_BYTES: number = BigUint64Array.BYTES_PER_ELEMENT;
/** The stamps of a pass: its begin and its end. */
const STAMPS = 2;

/** Measures the times of compute passes on the device. */
export class Timer {
  readonly #queries: GPUQuerySet;
  readonly #resolved: GPUBuffer;
  #passes = 0;

  constructor(device: GPUDevice) {
    const count = STAMPS * own.TIMED;
    this.#queries = device.createQuerySet({ type: "timestamp", count });
    this.#resolved = device.createBuffer({
      size: count * STAMP_BYTES,
      usage: USAGE.QUERY_RESOLVE | USAGE.COPY_SRC,
    });
  }

  /** Forgets all passes. */
  start(): void {
    this.#passes = 0;
  }

  /** Whether there is no room for another pass. */
  get full(): boolean {
    return this.#passes === own.TIMED;
  }

  /** Bytes that `resolve` writes. */
  get bytes(): number {
    return STAMPS * this.#passes * STAMP_BYTES;
  }

  /** Returns the descriptor of the next pass, with its timestamps. */
  pass(): GPUComputePassDescriptor {
    const first = STAMPS * this.#passes++;
    return {
      timestampWrites: {
        querySet: this.#queries,
        beginningOfPassWriteIndex: first,
        endOfPassWriteIndex: first + 1,
      },
    };
  }

  /** Copies the stamps to a buffer that the host can read. */
  resolve(encoder: GPUCommandEncoder, to: GPUBuffer, offset: number): void {
    if (this.#passes === 0) return;
    encoder.resolveQuerySet(this.#queries, 0, STAMPS * this.#passes, this.#resolved, 0);
    encoder.copyBufferToBuffer(this.#resolved, 0, to, offset, this.bytes);
  }

  /** Returns the milliseconds of each pass. */
  static passes(stamps: BigUint64Array): number[] {
    return Array.from({ length: stamps.length / STAMPS }, (_, i) => {
      const nanoseconds = stamps[STAMPS * i + 1]! - stamps[STAMPS * i]!;
      // A device's clock may jump back while a pass runs.
      return Math.max(0, Number(nanoseconds) / 1e6);
    });
  }

  close(): void {
    this.#queries.destroy();
    this.#resolved.destroy();
  }
}
