import type { CountsBatch, ReadOptions, Table } from "../../table/index.ts";
import type { PassPlan } from "../partial/plan.ts";
import { namesIn } from "./pair-plans.ts";

/** Reads batches for a pass: values without rows if the table has them, except for the columns of pairs. */
export function batchesFor(
  table: Table,
  { joint, pairs: numbers, rowLimit }: PassPlan,
  options: ReadOptions,
): AsyncIterable<CountsBatch> {
  if (table.readCounts === undefined) return table.read(options);
  const pairs = new Set([...joint.flatMap(({ columns }) => columns), ...namesIn(numbers)]);
  const names = options.columns ?? table.columns.map(({ name }) => name);
  return table.readCounts({
    ...options,
    rows: rowLimit === null ? names.filter((name) => pairs.has(name)) : names,
  });
}
