import type { Totals } from "../../../result/index.ts";
import { type BinSums, binaryOrder } from "../../../weights/index.ts";

/** The weights of some samples. Those in the bins of a table are separate from the others. */
export interface PieceWeights {
  /** The weights of the samples that lie in bins. The adder consumes them. */
  readonly inside: Float64Array;
  /** UNDERFLOW, OVERFLOW or NAN for each of the other samples. */
  readonly rows: Uint8Array;
  readonly outside: Float64Array;
}

/** The weights of one piece's samples that lie in bins, for the device to add up. */
export interface Addends extends Totals {
  readonly weights: Int32Array | Float32Array;
  readonly squares: Float32Array | null;
  readonly counts: boolean;
}

/** Makes the device add up weights over the bins of a piece. */
export type AddOnDevice = (of: Addends) => Promise<BinSums>;

/** Counts and sums of all pieces: those of the bins, followed by FLOW_ROWS rows for underflow, overflow and NaN. */
export interface Added {
  readonly counts: Float64Array;
  readonly sums: Float64Array;
  readonly squares: Float64Array | null;
  /** Number of exponents whose limbs were added up separately; null for floats. */
  readonly limbs: number | null;
  readonly limbsOfSquares: number | null;
}

/** Adds up pieces: the samples in bins on the device, the others on the host. */
export interface Adder {
  add(piece: PieceWeights, onDevice: AddOnDevice): Promise<void>;
  /** Adds the sums of another adder of the same kind, whose largest weight is not known either. */
  merge(other: this): void;
  /** Returns the sums. A sum above the largest double is infinite. */
  added(): Added;
}

/** Returns the smallest n with most < 2^n. */
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
