import { limits } from "@polybin/core/backend";
import { WORKER_REGION_BYTES } from "./limits.ts";
import { PAGE_BYTES, type Wasm } from "./wasm.ts";

/**
 * Memory that a program fills and that every thread's WebAssembly can see, so that samples are counted in place.
 *
 *   0          the program's bytes, up to the end of a page
 *   regions    of WORKER_REGION_BYTES: the tables of the threads that count there
 *   locks      32 bits each: 1 while a thread uses the region
 *
 * Regions that were never used take no memory, because their pages were never written.
 */
export interface Visible {
  /** The number by which threads recognize a memory. */
  readonly id: number;
  readonly memory: WebAssembly.Memory;
  /** The address of the first region, and the number of regions. */
  readonly start: number;
  readonly regions: number;
}

const known = new WeakMap<ArrayBufferLike, Visible>();
let last = 0;

/**
 * Allocates memory for bytes and regions. If WebAssembly has none that large, the memory is shared but has no regions.
 */
export function allocateVisible(bytes: number, regions: number): SharedArrayBuffer {
  const start = Math.ceil(bytes / PAGE_BYTES) * PAGE_BYTES;
  const pages = Math.ceil((start + regions * (WORKER_REGION_BYTES + limits.WORD_BYTES)) / PAGE_BYTES);
  if (pages > MOST_PAGES) return new SharedArrayBuffer(bytes);
  let memory: WebAssembly.Memory;
  try {
    memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  } catch {
    // Each memory takes several GiB of addresses. A process may have few left.
    return new SharedArrayBuffer(bytes);
  }
  const buffer = memory.buffer as unknown as SharedArrayBuffer;
  known.set(buffer, { id: ++last, memory, start, regions });
  return buffer;
}

/** Returns the memory behind a buffer that `allocateVisible` made on this thread, or null. */
export function visibleOf(buffer: ArrayBufferLike): Visible | null {
  return known.get(buffer) ?? null;
}

/** Takes `count` free regions. @returns their numbers, or none if fewer are free */
export function takeRegions(of: Visible, count: number): readonly number[] {
  const locks = locksOf(of);
  const taken: number[] = [];
  for (let region = 0; region < of.regions && taken.length < count; region++) {
    if (Atomics.compareExchange(locks, region, 0, 1) === 0) taken.push(region);
  }
  if (taken.length === count) return taken;
  giveRegions(of, taken);
  return [];
}

/** Returns regions, which must be clear. */
export function giveRegions(of: Visible, taken: readonly number[]): void {
  for (const region of taken) Atomics.store(locksOf(of), region, 0);
}

function locksOf({ memory, start, regions }: Visible): Int32Array {
  return new Int32Array(memory.buffer, start + regions * WORKER_REGION_BYTES, regions);
}

/** Instances over visible memory, kept until they are collected. */
export class VisibleInstances {
  readonly #module: WebAssembly.Module;
  readonly #known = new Map<string, WeakRef<WebAssembly.Exports>>();

  constructor(module: WebAssembly.Module) {
    this.#module = module;
  }

  /** Returns an instance with its tables in a region. Instances in use at the same time need different places. */
  of(visible: Visible, region: number, place: number): Wasm {
    const exports = this.exportsOf(visible, place);
    const at = (name: string) => (exports[name] as WebAssembly.Global).value as number;
    const { memory } = visible;
    const base = visible.start + region * WORKER_REGION_BYTES - at("COUNTS");
    (exports.lanes_at as (base: number) => void)(base);
    return {
      ...(exports as unknown as Wasm),
      memory,
      lowering: base + at("LOWERING"),
      starts: base + at("STARTS"),
      sums: new Float64Array(memory.buffer, base + at("SUMS"), limits.HALF_VALUES + limits.FLOW_ROWS),
      loaded: 0,
    };
  }

  /** Returns an instance's exports, for a caller that places everything itself. */
  exportsOf({ id, memory }: Visible, place = 0): WebAssembly.Exports {
    const key = `${id} ${place}`;
    let exports = this.#known.get(key)?.deref();
    if (exports === undefined) {
      for (const [old, ref] of this.#known) if (ref.deref() === undefined) this.#known.delete(old);
      exports = new WebAssembly.Instance(this.#module, { env: { memory, abort: () => {} } }).exports;
      this.#known.set(key, new WeakRef(exports));
    }
    return exports;
  }
}

/** 4 GiB. */
const MOST_PAGES = 65_536;
