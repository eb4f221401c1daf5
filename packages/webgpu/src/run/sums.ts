import type { PreparedSums, SumsJob } from "@polybin/core/backend";
import { tableOf } from "../memory/index.ts";
import type { Context } from "./context.ts";
import { countSums } from "./deliver/sums.ts";
import { prepareSums } from "./prepare/sums.ts";

/** Prepares weighted sums and starts to compile their kernels. */
export function preparedSums(context: Context, job: SumsJob): PreparedSums {
  const { table } = job;
  const steps = prepareSums(job, tableOf(table), context.catalog, context.of);
  context.compiled(steps);
  return {
    launch: steps.launch,
    count: (weights, options) =>
      context.run("samples", options, () => countSums(context, steps, table, weights, options)),
  };
}
