import { type Input, pixelsBefore, type Segments } from "@polybin/core/backend";
import { type Ordered, readerOf, rowOf, type Source, withSources } from "../../input/index.ts";
import { poolLimits, visibleOf } from "../../platform/index.ts";
import type { Pieces, Place, Supply } from "./feed.ts";
import type { Pool } from "./pool.ts";

/** The order in which an input is counted, and the pixels of a step for some bytes per pixel. */
export interface Way {
  readonly order: Segments | null;
  stepOf(pixelBytes: number): number;
}

/** One input, which all threads read in place. */
export class InPlace implements Supply, Ordered {
  readonly source: Source;
  readonly order: Segments | null;
  readonly pixels: number;
  readonly pixelBytes: number;
  readonly step: number;
  readonly pieces: Pieces | null = null;
  readonly isHere: boolean;

  constructor(source: Source, { order, stepOf }: Way) {
    const { width, height, pixelBytes } = source.geometry;
    this.source = source;
    this.order = order;
    this.pixels = order === null ? width * height : pixelsBefore(order, order.count);
    this.pixelBytes = pixelBytes;
    this.step = stepOf(pixelBytes);
    this.isHere = source.kind === "memory";
  }

  /** Returns where a thread finds its samples. */
  at(_place: Place): Ordered {
    const { source, order } = this;
    return { source, order };
  }
}

/** One input that workers cannot read. Pieces of it are copied to slots of shared memory. */
class InSlots extends InPlace {
  override readonly pieces: Pieces;
  readonly memory: Uint8Array;

  constructor(source: Source, way: Way, pool: Pool) {
    super(source, way);
    const { step, pixelBytes } = this;
    this.memory = pool.belts.take();
    const pixels = step * Math.max(1, Math.floor(poolLimits.pieceBytes / pixelBytes / step));
    const bytes = pixels * pixelBytes;
    const slots = Math.floor(this.memory.length / bytes);
    const read = Array.from({ length: slots }, (_, slot) => {
      return readerOf(this, this.memory.subarray(slot * bytes, (slot + 1) * bytes));
    });
    this.pieces = { pixels, slots, copy: (first, end, slot) => read[slot]!(first, end) };
  }

  override at(place: Place): Ordered {
    if (place === "here") return super.at(place);
    const { pixelBytes, memory: bytes } = this;
    const geometry = rowOf(this.pieces.slots * this.pieces.pixels, pixelBytes);
    // Samples in an order are not counted in place. A message with WebAssembly memory takes longer.
    const visible = this.order === null ? visibleOf(bytes.buffer) : null;
    return { source: { kind: "memory", geometry, bytes, visible }, order: null };
  }
}

/** Supplies an input to threads. */
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
    // After a failure, tables in the memory may not be clear.
    pool.belts.give(supply.memory);
    return found;
  });
}
