import { type Input, type RunOptions, Semaphore } from "@polybin/core/backend";
import type { WebgpuLimits } from "../base/index.ts";
import { type Hardware, ofInput } from "../platform/index.ts";
import { type Buffers, sharedBuffers } from "./buffers.ts";
import { ANOTHERS } from "./external.ts";
import { Filler } from "./filler.ts";
import { Readbacks } from "./readbacks.ts";
import { SpareRows } from "./spare-rows.ts";

/** A device and its memory: what calls share, one call at a time, and what users hold. */
export class DeviceMemory {
  readonly hardware: Hardware;
  readonly of: WebgpuLimits;
  readonly buffers: Buffers;
  readonly filler: Filler;
  readonly readbacks: Readbacks;
  readonly spareRows: SpareRows = new SpareRows();
  /** Destroys the buffers of what was collected without `free`. */
  readonly forgotten: FinalizationRegistry<readonly GPUBuffer[]> = new FinalizationRegistry((buffers) => {
    for (const buffer of buffers) buffer.destroy();
  });
  readonly #turns = new Semaphore(1);

  constructor(hardware: Hardware, of: WebgpuLimits) {
    this.hardware = hardware;
    this.of = of;
    this.buffers = sharedBuffers(hardware.device);
    this.filler = new Filler(hardware);
    this.readbacks = new Readbacks(hardware);
  }

  /** Runs work when no call uses what calls share. @throws the signal's reason if it aborts before that. */
  turn<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#turns.hold(work, signal);
  }

  /**
   * Runs a call in its turn. A call that fails may leave behind shared buffers that the device refused or that are
   * still mapped, so the next call creates them anew. If the device refuses the user's own memory, the error is
   * ERR_INPUT.
   */
  run<T>(input: Input["kind"], { signal }: RunOptions, call: () => Promise<T>): Promise<T> {
    return this.turn(async () => {
      try {
        return await call();
      } catch (error) {
        this.freeShared();
        throw input === "external" ? ofInput(error, ANOTHERS) : error;
      }
    }, signal);
  }

  /** Frees what calls share. The next call creates it again. */
  freeShared(): void {
    for (const of of [this.filler, this.readbacks, this.spareRows, this.buffers]) of.free();
  }
}
