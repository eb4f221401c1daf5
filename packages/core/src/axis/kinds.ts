import type { SampleType } from "../input/index.ts";
import type { Axis, OrderedAxis } from "./types.ts";

/** Offsets of the flow codes after the bins. */
export const UNDERFLOW = 0;
export const OVERFLOW = 1;
export const NAN = 2;

/** The ordered axis that stands for another one, and how its codes become those of the other axis. */
export interface Intervals {
  readonly axis: OrderedAxis;
  /**
   * The code on the other axis of each code on `axis`: its bins, underflow, overflow, NaN. Null: the codes are equal,
   * because it is the same axis.
   */
  readonly codes: Uint32Array | null;
  /** The numbers on `axis` are x % period, in f64, which is exact. Null: they are the samples. */
  readonly period: number | null;
  /**
   * The least of the numbers on `axis`, for integers whose remainders no f64 holds: x + k period, for the k for which the
   * number lies from here on within a period, rounded down. Absent: x % period.
   */
  readonly from?: number;
}

/**
 * How axes behave whose bins are not ascending intervals. The file of a kind defines it, so that a page without such
 * axes does not load its code.
 */
export interface AxisKind<A extends Axis = Axis> {
  /** The properties of such an axis, its type first. */
  readonly names: readonly string[];
  /** Whether the last bin includes its right edge. */
  readonly isClosed: boolean;
  /** Creates the axis again from one that came from outside. @throws ERR_AXIS, ERR_LIMIT */
  rebuilt(given: A): A;
  /** Compares two axes of this kind with equally many bins. */
  isSame(a: A, b: A): boolean;
  /** bins + 1 ascending numbers. */
  edges(axis: A): Float64Array;
  /** @throws ERR_LIMIT if the ordered axis would have too many bins. */
  intervals(axis: A, type: SampleType): Intervals;
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

/** Returns the ordered axis that stands for an axis over samples of a type. @throws ERR_LIMIT */
export function intervalsOf(axis: Axis, type: SampleType): Intervals {
  return kindOf(axis)?.intervals(axis, type) ?? { axis: axis as OrderedAxis, codes: null, period: null };
}
