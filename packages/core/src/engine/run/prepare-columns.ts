import { kindsOf } from "../../backend/index.ts";
import { checkNames, checkSwitch, expected, MAX_SAMPLES } from "../../base/index.ts";
import { checkCounting } from "../options/options.ts";
import { checkWeighting } from "../options/weighting-options.ts";
import { JointCounter } from "./columns-counter.ts";
import { columnOf, groupsColumn, type JointPrepareOptions, weightTypes } from "./columns-request.ts";
import { checkColumns } from "./open-call.ts";
import type { Running } from "./run.ts";

/**
 * Creates a counter of columns. It plans for the maximum number of samples, which shows whether the device can count them
 * and lets the device start to build its kernels.
 * @throws ERR_INPUT, ERR_AXIS, ERR_LIMIT, ERR_UNSUPPORTED
 */
export async function prepareColumns(running: Running, options: JointPrepareOptions): Promise<JointCounter> {
  const { opened, cellsJobs } = running;
  const { columns, by, weights, precision, squares, timings, ...choice } = options;
  const parameters =
    weights === undefined ? opened.parameters : [...opened.weightedParameters, "precision", "squares"];
  checkNames(options, ["columns", "by", "weights", "algorithm", "timings", ...parameters]);
  const weighting = { ...choice, precision, squares };
  if (weights === undefined) checkCounting({ algorithm: choice.algorithm }, opened);
  else {
    weightTypes(weights);
    checkWeighting(weighting, opened);
  }
  checkSwitch(timings, "timings");
  if (!Array.isArray(columns)) throw expected("ERR_INPUT", "columns", "an array of columns", columns);
  checkColumns(columns.length, 1, by !== undefined);
  const own = columns.map((column, k) => columnOf(column, `columns[${k}]`));
  const all = by === undefined ? own : [groupsColumn(by), ...own];
  if (weights !== undefined) cellsJobs.onHost(all);
  else if (kindsOf(opened.device).includes("cells")) {
    const shape = { columns: all, samples: MAX_SAMPLES, mask: "none", listed: false } as const;
    const prepared = await cellsJobs.of(shape, choice).prepared();
    await prepared.ready?.();
  }
  return new JointCounter(running, { columns: own, options, weighting });
}
