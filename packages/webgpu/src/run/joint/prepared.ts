import type { CellsJob, DeviceLaunch, PreparedCells } from "@polybin/core/backend";
import type { Catalog } from "../../kernels/index.ts";
import type { InLane } from "../accumulate.ts";
import type { Context } from "../context.ts";
import { described, frozen } from "../frozen.ts";
import type { Kept } from "../kept.ts";
import { countJoint } from "./count.ts";
import { type JointProgram, type JointSteps, prepareJoint } from "./prepare.ts";
import { distinct } from "./record.ts";

/** Prepares a joint job and starts to compile its kernels. */
export function preparedJoint(
  context: Context,
  programs: Kept<JointSteps, JointProgram>,
  catalog: Catalog,
  inLane: InLane,
  job: CellsJob,
): PreparedCells {
  const known = new Map<string, JointSteps>();
  // Which columns are channels of the same pixels shows when they are counted.
  const stepsOf = (sources: readonly number[]): JointSteps => {
    const key = sources.join();
    const steps = known.get(key) ?? prepareJoint(job, sources, catalog, context.of);
    known.set(key, steps);
    return steps;
  };
  const likely = stepsOf(likelySources(job));
  programs.get(likely);
  return {
    launch: launchOf(likely, context),
    count: (inputs, options) => {
      const { inputOf } = distinct(inputs);
      const steps = stepsOf(inputOf.map((input) => inputOf.indexOf(input)));
      const external = inputs.columns.some(({ kind }) => kind === "external");
      return inLane(external ? "external" : inputs.columns[0]!.kind, options, () =>
        countJoint(context, steps, programs.get(steps), inputs, options),
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

function launchOf({ kernels, staged, atOnce, plan }: JointSteps, { of }: Context): DeviceLaunch {
  return frozen({
    kernels: [
      ...kernels.map(({ kernel, columns, grid }) => ({
        ...described(kernel),
        columns,
        grid: grid(plan.samples).map((size) => size ?? 1),
      })),
      ...(staged?.stages ?? []).map(({ kernel, grid }) => ({
        ...described(kernel),
        grid: grid.map((size) => size ?? 1),
      })),
    ],
    cellsAtOnce: staged === null ? 0 : atOnce,
    samplesBytesAtOnce: of.partBytes,
  });
}
