import type { ByteReader, ByteWriter } from "../bytes.ts";
import { Moments } from "../exact/moments.ts";
import { type ColumnPlan, momentKindOf, type OverPlan } from "./plan.ts";

/** A column of numbers in each bin of another column. */
interface OverColumn {
  /** Nulls by bin. */
  readonly nulls: Float64Array;
  /** One for each bin. */
  readonly moments: readonly Moments[];
}

/** The moments of columns in each bin of another column. Merging in any order gives the same bits. */
export class OverPartial {
  readonly plan: OverPlan;
  /** Rows by bin. */
  readonly rows: Float64Array;
  /** Rows with a finite value outside of the bins. */
  outside = 0;
  readonly columns: readonly OverColumn[];

  /** @param columns the columns of the pass, for their types */
  constructor(plan: OverPlan, columns: readonly ColumnPlan[]) {
    const { bins } = plan.axis;
    this.plan = plan;
    this.rows = new Float64Array(bins);
    this.columns = plan.columns.map((name) => {
      const kind = momentKindOf(columns.find((column) => column.name === name)!.logical)!;
      const moments = Array.from({ length: bins }, () => new Moments(kind));
      return { nulls: new Float64Array(bins), moments };
    });
  }

  merge(other: OverPartial): void {
    addTo(this.rows, other.rows);
    this.outside += other.outside;
    for (const [i, { nulls, moments }] of this.columns.entries()) {
      addTo(nulls, other.columns[i]!.nulls);
      for (const [bin, of] of moments.entries()) of.merge(other.columns[i]!.moments[bin]!);
    }
  }

  write(to: ByteWriter): void {
    for (const count of [this.outside, ...this.rows]) to.whole(count);
    for (const { nulls, moments } of this.columns) {
      for (const count of nulls) to.whole(count);
      for (const of of moments) of.write(to);
    }
  }

  static read(from: ByteReader, plan: OverPlan, columns: readonly ColumnPlan[]): OverPartial {
    const empty = new OverPartial(plan, columns);
    empty.outside = from.whole();
    for (let bin = 0; bin < empty.rows.length; bin++) empty.rows[bin] = from.whole();
    for (const { nulls, moments } of empty.columns) {
      for (let bin = 0; bin < nulls.length; bin++) nulls[bin] = from.whole();
      for (const of of moments) of.merge(Moments.read(from, of.kind));
    }
    return empty;
  }
}

function addTo(to: Float64Array, from: Float64Array): void {
  for (const [bin, count] of from.entries()) to[bin]! += count;
}
