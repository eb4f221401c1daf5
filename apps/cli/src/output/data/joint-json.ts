import { printable } from "../../base/index.ts";
import type { JointResult } from "../result.ts";
import { axisJson, timingsJson, workJson } from "./json-parts.ts";

/** The result as `--json` prints it: one object on one line. Counts are row-major: the second column is the fastest. */
export function jointJson({ columns, joint, work, merged, timings }: JointResult): string {
  const { axes, edges, shape, counts, flow, masked } = joint;
  const json = JSON.stringify({
    input: columns.map(({ input, channel }) => ({ ...input, channel })),
    ...workJson(work, columns[0].input.samples),
    axes: axes.map((axis, k) => axisJson(axis, edges[k]!)),
    shape,
    counts: [...counts],
    flow,
    masked,
    ...(merged !== undefined && { merged }),
    timings: timingsJson(timings),
  });
  return `${printable(json)}\n`;
}
