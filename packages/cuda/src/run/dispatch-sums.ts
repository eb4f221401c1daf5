import type { FeatureSums, Prepared, SumsJob, SumsPart, SumsWeights } from "@polybin/core/backend";
import { CudaTable } from "../memory/index.ts";
import { failure } from "../platform/index.ts";
import { longest } from "./deliver.ts";
import type { Lanes } from "./lanes.ts";
import { placeSums, prepareSums } from "./prepare-sums.ts";

/** Prepares weighted sums over features of a table. @throws ERR_INPUT for a table of another engine */
export function sums(lanes: Lanes, job: SumsJob): Prepared<SumsWeights, SumsPart> {
  if (!(job.table instanceof CudaTable)) {
    throw failure("ERR_INPUT", "expected a table that this engine uploaded");
  }
  const { launch, parts } = prepareSums(job, job.table.parts);
  return {
    launch,
    count: async ({ weights, squares, documents: list }, options) => {
      const same = { documents: weights.length, weights, squares, list, timed: job.timed };
      const all = await lanes.each(parts, options, (context, { id, launches }, control) =>
        context.sums({ ...same, table: id, launches, control }),
      );
      const features: FeatureSums[] = [];
      for (const [i, { plans }] of parts.entries()) placeSums(features, plans, all[i]!);
      return { features, timings: longest(all) };
    },
  };
}
