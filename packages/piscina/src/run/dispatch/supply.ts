import { type Input, pixelsBefore, type Segments } from "@polybin/core/backend";
import type { Place, Steps } from "../../counting/index.ts";
import { type Read, readerOf, rowOf, type Source, withSources } from "../../input/index.ts";
import { poolLimits, visibleOf } from "../../platform/index.ts";
import type { Pieces, Supply } from "./feed.ts";
import type { Pool } from "./pool.ts";

/** The order in which an input is counted, and the pixels of a step for some bytes per pixel. */
export interface Way {
  readonly order: Segments | null;
  stepOf(pixelBytes: number): number;
}

/** One input, which threads read in place. */
export class InPlace implements Supply, Place {
  readonly source: Source;
  readonly order: Segments | null;
  readonly base = 0;
  readonly pixels: number;
  readonly step: number;
  readonly pieces: Pieces | null = null;

  constructor(source: Source, { order, stepOf }: Way) {
    const { width, height, pixelBytes } = source.geometry;
    this.source = source;
    this.order = order;
    this.pixels = order === null ? width * height : pixelsBefore(order, order.count);
    this.step = stepOf(pixelBytes);
  }

  /** Returns where a task finds its samples. */
  at(_steps: Steps, _slot: number): Place {
    return this;
  }
}

/** One input that workers cannot read. Pieces of it are copied to slots of shared memory. */
class InSlots extends InPlace {
  override readonly pieces: Pieces;
  readonly slots: { readonly memory: Uint8Array; readonly read: Read }[] = [];

  constructor(source: Source, way: Way, pool: Pool) {
    super(source, way);
    const pixels = Math.max(1, Math.floor(poolLimits.pieceBytes / source.geometry.pixelBytes / this.step));
    this.pieces = {
      pixels: pixels * this.step,
      copy: (first, end, slot) => {
        if (this.slots[slot] === undefined) {
          const memory = pool.slots.take();
          this.slots[slot] = { memory, read: readerOf(this, memory) };
        }
        this.slots[slot].read(first, end);
      },
    };
  }

  override at({ from, to }: Steps, slot: number): Place {
    const { memory: bytes } = this.slots[slot]!;
    const geometry = rowOf(to - from, this.source.geometry.pixelBytes);
    // Samples in an order are not counted in place. A message with WebAssembly memory takes longer.
    const visible = this.order === null ? visibleOf(bytes.buffer) : null;
    return { source: { kind: "memory", geometry, bytes, visible }, order: null, base: from };
  }
}

/** Supplies an input to workers. */
export function withSupply<T>(
  pool: Pool,
  input: Input,
  way: Way,
  use: (supply: InPlace) => Promise<T>,
): Promise<T> {
  return withSources([input], async ([source], isShared) => {
    if (isShared) return use(new InPlace(source!, way));
    const supply = new InSlots(source!, way, pool);
    const found = await use(supply);
    // After a failure, workers may still read the slots.
    for (const { memory } of supply.slots) pool.slots.give(memory);
    return found;
  });
}
