import type { WebgpuLimits } from "../base/index.ts";
import type { Catalog } from "../kernels/index.ts";
import { DeviceMemory } from "../memory/index.ts";
import type { Hardware, Kernel } from "../platform/index.ts";

/** The kernels of prepared steps. */
export interface Compilable {
  readonly kernels: readonly Kernel[];
}

/** Pipelines by their kernels. */
export type Compiled = ReadonlyMap<Kernel, GPUComputePipeline>;

/** The state that the calls on a device share. */
export class Context extends DeviceMemory {
  readonly catalog: Catalog;
  readonly #ends: (() => void)[] = [];
  /** Pipelines of steps that live. `close` drops them at once, even if somebody still holds the steps. */
  #compiled = new WeakMap<Compilable, Promise<Compiled>>();

  constructor(hardware: Hardware, of: WebgpuLimits, catalog: Catalog) {
    super(hardware, of);
    this.catalog = catalog;
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

  /** Has something else end with the device. */
  whenClosed(end: () => void): void {
    this.#ends.push(end);
  }

  close(): Promise<void> {
    return this.turn(async () => {
      this.freeShared();
      this.#compiled = new WeakMap();
      for (const end of this.#ends) end();
      this.hardware.close();
    });
  }
}
