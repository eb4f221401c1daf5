import type { CountsBatch, ReadOptions, Table } from "../../table/index.ts";
import { namesWithRows, type PassPlan } from "../partial/plan.ts";

/** Reads batches for a pass: values without rows if the table has them, except for columns whose rows belong together. */
export function batchesFor(table: Table, plan: PassPlan, options: ReadOptions): AsyncIterable<CountsBatch> {
  if (table.readCounts === undefined) return table.read(options);
  const withRows = namesWithRows(plan);
  const names = options.columns ?? table.columns.map(({ name }) => name);
  return table.readCounts({
    ...options,
    rows: plan.rowLimit === null ? names.filter((name) => withRows.has(name)) : names,
  });
}
