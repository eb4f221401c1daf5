import { type Input, type RunOptions, Semaphore } from "@polybin/core/backend";
import type { WebgpuLimits } from "../base/index.ts";
import type { Catalog } from "../kernels/index.ts";
import {
  ANOTHERS,
  type Buffers,
  Filler,
  Owners,
  Readbacks,
  Source,
  SpareRows,
  sharedBuffers,
} from "../memory/index.ts";
import { type Hardware, type Kernel, ofInput } from "../platform/index.ts";

/** The kernels of prepared steps. */
export interface Compilable {
  readonly kernels: readonly Kernel[];
}

/** Pipelines by their kernels. */
export type Compiled = ReadonlyMap<Kernel, GPUComputePipeline>;

/** The state that the calls on a device share, one call at a time. */
export class Context {
  readonly hardware: Hardware;
  readonly of: WebgpuLimits;
  readonly catalog: Catalog;
  readonly buffers: Buffers;
  readonly filler: Filler;
  readonly source: Source;
  readonly readbacks: Readbacks;
  readonly spareRows: SpareRows = new SpareRows();
  /** Those who hold buffers of this device. */
  readonly owners: Owners;
  readonly #turns = new Semaphore(1);
  /** Pipelines of steps that live. `close` drops them at once, even if somebody still holds the steps. */
  #compiled = new WeakMap<Compilable, Promise<Compiled>>();

  constructor(hardware: Hardware, of: WebgpuLimits, catalog: Catalog) {
    this.hardware = hardware;
    this.of = of;
    this.catalog = catalog;
    this.buffers = sharedBuffers(hardware.device);
    this.filler = new Filler(hardware);
    this.source = new Source(hardware, this.filler, this.buffers.input, of);
    this.readbacks = new Readbacks(hardware);
    this.owners = new Owners((work) => this.turn(work));
  }

  /** Returns the pipelines of steps. It compiles them once; after a failure, the next caller starts it again. */
  compiled(steps: Compilable): Promise<Compiled> {
    const { hardware } = this;
    const compile = async (kernel: Kernel) => [kernel, await hardware.pipelines.of(kernel)] as const;
    const work =
      this.#compiled.get(steps) ??
      hardware.watched(Promise.all(steps.kernels.map(compile)).then((all) => new Map(all)));
    this.#compiled.set(steps, work);
    // Callers that wait for the work receive the error.
    work.catch(() => this.#compiled.delete(steps));
    return work;
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
        this.#free();
        throw input === "external" ? ofInput(error, ANOTHERS) : error;
      }
    }, signal);
  }

  #free(): void {
    for (const of of [this.filler, this.readbacks, this.spareRows, this.buffers]) of.free();
  }

  close(): void {
    this.#free();
    this.#compiled = new WeakMap();
  }
}
