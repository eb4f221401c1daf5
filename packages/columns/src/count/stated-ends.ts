import { type Engine, Histogram, type JointHistogram } from "@polybin/core";
import { type Batch, type StatedExtent, valuesOf } from "../table/index.ts";
import type { AxisOf } from "./axes.ts";
import { Ends } from "./survey.ts";

/** A column whose range a file states, and its place among the counted ones. */
interface Stated {
  readonly at: number;
  readonly name: string;
  readonly extent: StatedExtent;
  readonly ends: Ends;
}

/**
 * Checks the ranges that a file states. They are the ends of an axis, so that a value outside lies in its flow cells. Sums of
 * weights may be 0 there, and then the values are looked at.
 */
export class StatedEnds {
  readonly #stated: readonly Stated[];
  readonly #isWeighted: boolean;

  constructor(engine: Engine, plans: readonly AxisOf[], isWeighted: boolean) {
    this.#isWeighted = isWeighted;
    this.#stated = plans.flatMap(({ column: { name }, stated }, at) =>
      stated === null ? [] : [{ at, name, extent: stated, ends: new Ends(engine) }],
    );
  }

  /** Passes batches on. @param columns the names of their columns */
  watched(batches: AsyncIterable<Batch>, columns: readonly string[]): AsyncIterable<Batch> {
    return this.#isWeighted && this.#stated.length > 0 ? this.#looked(batches, columns) : batches;
  }

  async *#looked(batches: AsyncIterable<Batch>, columns: readonly string[]): AsyncGenerator<Batch> {
    for await (const batch of batches) {
      for (const { name, ends } of this.#stated) {
        const chunk = batch.columns[columns.indexOf(name)]!;
        if ("values" in chunk) await ends.add(valuesOf(chunk));
      }
      yield batch;
    }
  }

  /** Whether values lie outside. @param result the counts, if there are no weights */
  areWrong(result: unknown): boolean {
    if (this.#isWeighted) return this.#stated.some(({ extent, ends }) => ends.exceed(extent));
    return this.#stated.some(({ at }) => {
      const { underflow, overflow } =
        result instanceof Histogram ? result : (result as JointHistogram).project(at);
      return underflow + overflow > 0;
    });
  }
}
