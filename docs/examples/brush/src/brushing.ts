// Counts a column under a brush over another column. It runs in a worker, and in Node without one.
import {
  type Engine,
  type JointHistogram,
  openEngine,
  type Resident,
  regular,
  variable,
} from "@polybin/core";
import { webgpu } from "@polybin/webgpu";
import type { Column, Columns } from "./columns.ts";

/** Steps of the brush per bin of the chart: about one step per pixel. */
const STEPS = 10;

/** The first answer: the histograms of both columns. */
export interface Overview {
  readonly backend: string;
  readonly rows: number;
  readonly brushed: Float64Array;
  readonly shown: Float64Array;
  /** Edges of the brushed column that `joint` can select. */
  readonly steps: Float64Array;
  /** Rows whose delay lies outside the chart or is NaN. */
  readonly outside: number;
  readonly ms: number;
}

/** The rows with lo <= x < hi, or x <= hi at the end of the axis. */
export interface Brush {
  readonly lo: number;
  readonly hi: number;
}

/** The answer to a brush. */
export interface Selection extends Brush {
  readonly counts: Float64Array;
  readonly rows: number;
  readonly ms: number;
}

/** How to count: from the joint histogram, or every row. */
export type Method = "joint" | "rows";

/** What one histogram of both columns needs, opened over columns that the worker owns. */
export class Brushing {
  #engine!: Engine;
  #held!: readonly [brushed: Float32Array | Resident, shown: Float32Array | Resident];
  #columns!: Columns;
  #table!: JointHistogram;

  /** Counts both columns together, once. @param fallback whether to use a GPU that the CPU imitates */
  async open(columns: Columns, fallback: boolean): Promise<Overview> {
    const engine = await openEngine({ backends: [webgpu()], fallback });
    const start = performance.now();
    const { brushed, shown } = columns;
    // A GPU keeps the columns. On the CPU, an upload would only copy them.
    const hold = async ({ values }: Column) =>
      engine.backend === "cpu" ? values : await engine.upload(values);
    this.#engine = engine;
    this.#columns = columns;
    this.#held = [await hold(brushed), await hold(shown)];
    this.#table = await engine.joint([...this.#held], {
      axes: [regular(STEPS * brushed.bins, brushed.lo, brushed.hi), axisOf(shown)],
    });
    const ofShown = this.#table.project(1);
    return {
      backend: engine.backend,
      rows: brushed.values.length,
      brushed: this.#table.project(0).rebin(STEPS).counts,
      shown: ofShown.counts,
      steps: this.#table.project(0).edges,
      outside: ofShown.underflow + ofShown.overflow + ofShown.nan,
      ms: performance.now() - start,
    };
  }

  /** Counts the rows under a brush. */
  select(brush: Brush, method: Method): Promise<Selection> {
    return method === "joint" ? this.#fromTable(brush) : this.#fromRows(brush);
  }

  async close(): Promise<void> {
    await this.#engine.close();
  }

  /** Adds up the steps of the table that the brush covers. It reads cells, and no rows: the brush snaps to steps. */
  async #fromTable({ lo, hi }: Brush): Promise<Selection> {
    const start = performance.now();
    const { edges } = this.#table.project(0);
    const [first, end] = [nearest(edges, lo), nearest(edges, hi)];
    const under = first < end ? (this.#table.slice({ 0: [first, end] }) as JointHistogram) : null;
    return {
      lo: edges[first]!,
      hi: edges[end]!,
      counts: under?.marginal(1).counts ?? new Float64Array(this.#columns.shown.bins),
      rows: under?.project(0).sum() ?? 0,
      ms: performance.now() - start,
    };
  }

  /** Counts every row again. One bin over the brushed column is the brush, at any two numbers. */
  async #fromRows({ lo, hi }: Brush): Promise<Selection> {
    const start = performance.now();
    const { brushed, shown } = this.#columns;
    if (!(lo < hi)) return { lo, hi, counts: new Float64Array(shown.bins), rows: 0, ms: 0 };
    const axes = [variable([lo, hi], { closed: hi === brushed.hi }), axisOf(shown)];
    const under = await this.#engine.joint([...this.#held], { axes });
    return {
      lo,
      hi,
      counts: under.marginal(1).counts,
      rows: under.project(0).sum(),
      ms: performance.now() - start,
    };
  }
}

const axisOf = ({ bins, lo, hi }: Column) => regular(bins, lo, hi);

/** The edge nearest to a value. The steps are equally wide. */
function nearest(edges: Float64Array, value: number): number {
  const [lo, hi, steps] = [edges[0]!, edges.at(-1)!, edges.length - 1];
  return Math.min(steps, Math.max(0, Math.round(((value - lo) / (hi - lo)) * steps)));
}
