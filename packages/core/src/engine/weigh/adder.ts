import type { Totals } from "../../result/index.ts";
import { type BinSums, binaryOrder } from "../../weights/index.ts";
import type { Piece } from "./pieces.ts";

/** What a device adds up of one piece's samples that are in bins. */
export interface Addends extends Totals {
  readonly weights: Int32Array | Float32Array;
  readonly squares: Float32Array | null;
  readonly counts: boolean;
}

/** Has the device add weights up over the bins of a piece. */
export type AddOnDevice = (of: Addends) => Promise<BinSums>;

/** Counts and sums of all pieces: of the bins, and in the FLOW_ROWS after them of underflow, overflow, NaN. */
export interface Added {
  readonly counts: Float64Array;
  readonly sums: Float64Array;
  readonly squares: Float64Array | null;
  /** Exponents whose limbs were added up, each by itself; null of floats. */
  readonly limbs: number | null;
  readonly limbsOfSquares: number | null;
}

/** Adds pieces up: what is in a bin on the device, the rest here. */
export interface Adder {
  add(piece: Piece, onDevice: AddOnDevice): Promise<void>;
  /** What was added up. A sum past the largest double is infinite. */
  added(): Added;
}

/** The least n with most < 2^n. */
export function orderOf(most: number): number {
  return most === 0 ? 0 : binaryOrder(most);
}

export function squaresOf(weights: Float64Array): Float64Array {
  const out = new Float64Array(weights.length);
  for (let i = 0; i < out.length; i++) out[i] = weights[i]! * weights[i]!;
  return out;
}

export function addTo(to: Float64Array, from: Float64Array): void {
  for (let i = 0; i < from.length; i++) to[i]! += from[i]!;
}
