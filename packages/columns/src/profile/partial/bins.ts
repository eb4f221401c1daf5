import type { Axis, Histogram, SampleType } from "@polybin/core";
import { edgesOf } from "@polybin/core/backend";
import { addToBins } from "../../table/index.ts";
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

  /** Adds values to the bins that the engine counts them in. @param counts how often each value occurs. Null: once */
  addValues(values: ArrayLike<number> | ArrayLike<bigint>, counts: ArrayLike<number> | null): void {
    addToBins(this, values, counts);
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
