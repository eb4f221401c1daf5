import type { SampleType } from "../input/index.ts";
import type { Axis, OrderedAxis } from "./types.ts";

/** Offsets of the flow codes after the bins. */
export const UNDERFLOW = 0;
export const OVERFLOW = 1;
export const NAN = 2;

/** The axis that devices count over in place of another one, and how its codes become those of the other axis. */
export interface CountedAs {
  readonly axis: OrderedAxis;
  /**
   * The code on the other axis of each code on `axis`: its bins, underflow, overflow, NaN. Null: the codes are equal,
   * because it is the same axis.
   */
  readonly codes: Uint32Array | null;
  /** Samples x are counted as the 64-bit float x % period, which is exact. Null: as they are. */
  readonly period: number | null;
}

/**
 * How axes behave whose bins are not ascending intervals. The file of a kind defines it, so that a page without such
 * axes does not load its code.
 */
export interface AxisKind<A extends Axis = Axis> {
  /** The properties of such an axis. */
  readonly names: readonly string[];
  /** Creates the axis again from one that came from outside. @throws ERR_AXIS, ERR_LIMIT */
  rebuilt(given: A): A;
  /** Compares two axes of this kind with equally many bins. */
  isSame(a: A, b: A): boolean;
  /** bins + 1 ascending numbers. */
  edges(axis: A): Float64Array;
  /** @throws ERR_LIMIT if the ordered axis would have too many bins. */
  countedAs(axis: A, type: SampleType): CountedAs;
}

const kinds = new Map<unknown, AxisKind>();

/** Makes a kind known to the functions that work with any axis. */
export function defineKind<A extends Axis>(type: A["type"], kind: AxisKind<A>): void {
  kinds.set(type, kind as unknown as AxisKind);
}

/** Returns the kind of an axis whose bins are not ascending intervals, otherwise undefined. */
export function kindOf({ type }: Axis): AxisKind | undefined {
  return kinds.get(type);
}

/** Returns the ordered axis that devices count samples of a type over. @throws ERR_LIMIT */
export function countedAs(axis: Axis, type: SampleType): CountedAs {
  return kindOf(axis)?.countedAs(axis, type) ?? { axis: axis as OrderedAxis, codes: null, period: null };
}
