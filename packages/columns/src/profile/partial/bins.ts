import type { Axis, Histogram, SampleType } from "@polybin/core";
import { edgesOf } from "@polybin/core/backend";
import { type ByteReader, type ByteWriter, broken } from "../bytes.ts";

/** Whether all values lie in bins. */
export function isComplete({ underflow, overflow, nan }: Bins): boolean {
  return underflow === 0 && overflow === 0 && nan === 0;
}

/** The counts of a column over an axis. */
export class Bins {
  readonly axis: Axis;
  readonly type: SampleType;
  readonly counts: Float64Array;
  underflow = 0;
  overflow = 0;
  nan = 0;
  #edges: Float64Array | null = null;

  constructor(axis: Axis, type: SampleType) {
    this.axis = axis;
    this.type = type;
    this.counts = new Float64Array(axis.bins);
  }

  /** The edges that samples of the type are compared with. */
  get edges(): Float64Array {
    this.#edges ??= edgesOf(this.axis, this.type);
    return this.#edges;
  }

  /**
   * Adds values to the bins that the engine counts them in. Comparing a bigint with a double is exact.
   * @param counts how often each value occurs. Null: once
   */
  addValues(values: ArrayLike<number> | ArrayLike<bigint>, counts: ArrayLike<number> | null): void {
    const { axis, edges } = this;
    // Samples of booleans are bytes. All but 0 are true.
    const isBoolean = axis.type === "boolean";
    const isClosed = (axis.type === "regular" || axis.type === "variable") && axis.closed !== false;
    const [first, last] = [edges[0]!, edges[axis.bins]!];
    const perWidth = axis.bins / (last - first);
    // In the narrowest ranges the quotient overflows, so no bin can be guessed by it.
    const canGuess = (axis.type === "regular" || axis.type === "integer") && perWidth < Infinity;
    for (let i = 0; i < values.length; i++) {
      const value = isBoolean ? Number(values[i] !== 0) : values[i]!;
      const count = counts === null ? 1 : counts[i]!;
      if (value < first) this.underflow += count;
      else if (value > last || (value >= last && !isClosed)) this.overflow += count;
      else if (value >= first) {
        const bin = canGuess
          ? near(edges, value, (Number(value) - first) * perWidth)
          : lastAtMost(edges, value);
        this.counts[bin]! += count;
      } else this.nan += count;
    }
  }

  /** Adds counts over the same axis. */
  add(other: Pick<Histogram, "counts" | "underflow" | "overflow" | "nan">): void {
    if (other.counts.length !== this.counts.length) throw broken("counts over another axis");
    for (let bin = 0; bin < this.counts.length; bin++) this.counts[bin]! += other.counts[bin]!;
    this.underflow += other.underflow;
    this.overflow += other.overflow;
    this.nan += other.nan;
  }

  write(to: ByteWriter): void {
    for (const count of [this.underflow, this.overflow, this.nan, ...this.counts]) to.whole(count);
  }

  static read(from: ByteReader, axis: Axis, type: SampleType): Bins {
    const bins = new Bins(axis, type);
    bins.underflow = from.whole();
    bins.overflow = from.whole();
    bins.nan = from.whole();
    for (let bin = 0; bin < axis.bins; bin++) bins.counts[bin] = from.whole();
    return bins;
  }
}

/** The last bin whose lower edge is not above the value, found from a guess. */
function near(edges: Float64Array, value: number | bigint, guess: number): number {
  let bin = Math.min(Math.trunc(guess), edges.length - 2);
  while (edges[bin]! > value) bin--;
  while (bin < edges.length - 2 && edges[bin + 1]! <= value) bin++;
  return bin;
}

/** The same for edges at any distances. */
function lastAtMost(edges: Float64Array, value: number | bigint): number {
  let [from, to] = [0, edges.length - 1];
  while (to - from > 1) {
    const middle = (from + to) >>> 1;
    if (edges[middle]! <= value) from = middle;
    else to = middle;
  }
  return from;
}
