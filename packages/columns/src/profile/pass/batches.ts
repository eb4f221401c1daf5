import type { CountsBatch, ReadOptions, Table } from "../../table/index.ts";
import { namesWithRows, type PassPlan } from "../partial/plan.ts";
import { type Sampling, sampledBatches } from "../sample/batches.ts";

/**
 * Reads batches for a pass: the rows of its sample, or values without rows if the table has them, except for columns whose
 * rows belong together.
 * @param sampling the place of the table, on which the chosen rows depend
 */
export function batchesFor(
  table: Table,
  plan: PassPlan,
  options: ReadOptions,
  sampling: Sampling = { file: 0, see: () => {} },
): AsyncIterable<CountsBatch> {
  if (plan.sample !== null) return sampledBatches(table, plan.sample, sampling, options);
  if (table.readCounts === undefined) return table.read(options);
  const withRows = namesWithRows(plan);
  const names = options.columns ?? table.columns.map(({ name }) => name);
  return table.readCounts({
    ...options,
    rows: plan.rowLimit === null ? names.filter((name) => withRows.has(name)) : names,
  });
}
