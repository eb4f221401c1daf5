import { type Input, pixelsBefore, type Segments } from "@polybin/core/backend";
import type { Steps, Supply } from "../../counting/index.ts";
import { type Read, readerOf, rowOf, type Source, withSources } from "../../input/index.ts";
import { poolLimits, visibleOf } from "../../platform/index.ts";
import type { Feed } from "./feed.ts";
import type { Pool } from "./pool.ts";

/** One input of a call, and where its tasks find it. */
export interface InputSupply extends Pick<Feed, "pixels" | "step" | "pieces"> {
  at(steps: Steps, place: number): Supply;
}

/** The order in which an input is counted, and the pixels of a step for some bytes per pixel. */
export interface Way {
  readonly order: Segments | null;
  stepOf(pixelBytes: number): number;
}

/** An input as threads find it that can read it. */
export class InPlace implements InputSupply, Supply {
  readonly source: Source;
  readonly order: Segments | null;
  readonly base = 0;
  readonly pixels: number;
  readonly step: number;
  readonly pieces = null;

  constructor(source: Source, { order, stepOf }: Way) {
    const { width, height, pixelBytes } = source.geometry;
    this.source = source;
    this.order = order;
    this.pixels = order === null ? width * height : pixelsBefore(order, order.count);
    this.step = stepOf(pixelBytes);
  }

  at(): Supply {
    return this;
  }
}

/** Supplies an input to workers: in place, or piece by piece through slots of shared memory. */
export function withSupply<T>(
  pool: Pool,
  input: Input,
  way: Way,
  use: (supply: InputSupply) => Promise<T>,
): Promise<T> {
  return withSources([input], async ([source], isShared) => {
    const inPlace = new InPlace(source!, way);
    if (isShared) return use(inPlace);
    const slots: Slot[] = [];
    const found = await use(inSlots(pool, source!, way, inPlace, slots));
    // After a failure, workers may still read the slots.
    for (const { memory } of slots) pool.slots.give(memory);
    return found;
  });
}

/** Shared memory, and what copies pieces to it. */
interface Slot {
  readonly memory: Uint8Array;
  readonly read: Read;
}

function inSlots(
  pool: Pool,
  source: Source,
  { order }: Way,
  { pixels, step }: InputSupply,
  slots: Slot[],
): InputSupply {
  const { pixelBytes } = source.geometry;
  const newSlot = (): Slot => {
    const memory = pool.slots.take();
    return { memory, read: readerOf({ source, order }, memory) };
  };
  return {
    pixels,
    step,
    pieces: {
      pixels: Math.max(1, Math.floor(poolLimits.pieceBytes / pixelBytes / step)) * step,
      copy(first, end, slot) {
        slots[slot] ??= newSlot();
        slots[slot].read(first, end);
      },
    },
    at(steps, slot) {
      const { memory: bytes } = slots[slot]!;
      const geometry = rowOf(steps.to - steps.from, pixelBytes);
      const visible = visibleOf(bytes.buffer);
      return { source: { kind: "memory", geometry, bytes, visible }, order: null, base: steps.from };
    },
  };
}
