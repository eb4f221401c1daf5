// Starts the worker that owns the columns.
import { type Remote, transfer, wrap } from "comlink";
import type { Brushing, Overview } from "./brushing.ts";
import type { Columns, Scale } from "./columns.ts";

/** Columns in a worker, and their first histograms. */
export interface Source {
  readonly worker: Remote<Brushing>;
  readonly overview: Overview;
  readonly brushed: Scale;
  readonly shown: Scale;
}

/**
 * Moves columns to a new worker, which counts them. The arrays of the page are empty afterwards.
 * @param fallback whether to use a GPU that the CPU imitates.
 */
export async function openSource(columns: Columns, fallback: boolean): Promise<Source> {
  const worker = wrap<Brushing>(
    new Worker(new URL("./counting-worker.ts", import.meta.url), { type: "module" }),
  );
  const { values: _x, ...brushed } = columns.brushed;
  const { values: _y, ...shown } = columns.shown;
  const buffers = [columns.brushed.values.buffer, columns.shown.values.buffer];
  const overview = await worker.open(transfer(columns, buffers), fallback);
  return { worker, overview, brushed, shown };
}
