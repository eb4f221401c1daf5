import type { CellsJob, PreparedCells } from "@polybin/core/backend";
import type { Context } from "./context.ts";
import { countCells } from "./deliver/cells.ts";
import { distinct } from "./dispatch/cells.ts";
import { type CellsSteps, prepareCells } from "./prepare/cells/prepare.ts";

/** Prepares a joint job and starts to compile its kernels. */
export function preparedCells(context: Context, job: CellsJob): PreparedCells {
  const known = new Map<string, CellsSteps>();
  // Which columns are channels of the same pixels shows when they are counted.
  const stepsOf = (sources: readonly number[]): CellsSteps => {
    const key = sources.join();
    const steps = known.get(key) ?? prepareCells(job, sources, context.catalog, context.of);
    known.set(key, steps);
    return steps;
  };
  const likely = stepsOf(likelySources(job));
  context.compiled(likely);
  return {
    launch: likely.launch,
    count: (inputs, options) => {
      const { inputOf } = distinct(inputs);
      const steps = stepsOf(inputOf.map((input) => inputOf.indexOf(input)));
      const kinds = inputs.columns.map(({ kind }) => kind);
      return context.run(kinds.includes("external") ? "external" : kinds[0]!, options, () =>
        countCells(context, steps, inputs, options),
      );
    },
  };
}

/** Returns the column that each column probably shares its pixels with: channels of a picture. */
function likelySources({ columns }: CellsJob): readonly number[] {
  return columns.map(({ interleaved, type }, k) => {
    const first = columns.findIndex((one) => one.interleaved === interleaved && one.type === type);
    return interleaved === 1 ? k : first;
  });
}
