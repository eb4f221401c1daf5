/**
 * Pieces of a call on their way from the calling thread, which copies them, to the workers that count them.
 *
 *   states   per slot   FREE -> FULL -> TAKEN -> FREE
 *   ranges   per slot   the first pixel of its piece, and the pixel behind the last
 */
export interface Belt {
  readonly states: Int32Array;
  readonly ranges: Float64Array;
  /** Pixels that a slot has room for. */
  readonly pixels: number;
}

const FREE = 0;
const FULL = 1;
const TAKEN = 2;

/** The pixels [first, end) of a call, in a slot. */
export interface Piece {
  readonly slot: number;
  readonly first: number;
  readonly end: number;
}

export function newBelt(slots: number, pixels: number): Belt {
  const rangeBytes = 2 * slots * Float64Array.BYTES_PER_ELEMENT;
  const buffer = new SharedArrayBuffer(rangeBytes + slots * Int32Array.BYTES_PER_ELEMENT);
  return {
    states: new Int32Array(buffer, rangeBytes, slots),
    ranges: new Float64Array(buffer, 0, 2 * slots),
    pixels,
  };
}

/** Returns a free slot, or null. */
export function freeSlot({ states }: Belt): number | null {
  for (let slot = 0; slot < states.length; slot++) if (Atomics.load(states, slot) === FREE) return slot;
  return null;
}

/** Hands over a piece that was copied to its slot. */
export function putPiece({ states, ranges }: Belt, { slot, first, end }: Piece): void {
  ranges[2 * slot] = first;
  ranges[2 * slot + 1] = end;
  Atomics.store(states, slot, FULL);
}

/** Takes a piece that no other thread has taken, or null. */
export function takePiece({ states, ranges }: Belt): Piece | null {
  for (let slot = 0; slot < states.length; slot++) {
    if (Atomics.compareExchange(states, slot, FULL, TAKEN) !== FULL) continue;
    return { slot, first: ranges[2 * slot]!, end: ranges[2 * slot + 1]! };
  }
  return null;
}

/** Frees the slot of a piece that was counted. */
export function giveSlot({ states }: Belt, { slot }: Piece): void {
  Atomics.store(states, slot, FREE);
}
