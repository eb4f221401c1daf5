import type { JointResult } from "../joint.ts";
import { printable } from "./words.ts";

/** The result as `--json` prints it: one object on one line. Counts are row-major: the second column is the fastest. */
export function jointJson({ columns, joint, timings }: JointResult): string {
  const { backend, device, algorithm, plan, axes, edges, shape, counts, flow, masked } = joint;
  const json = JSON.stringify({
    input: columns.map(({ input, channel }) => ({ ...input, channel })),
    backend,
    device,
    algorithm,
    plan,
    axes: axes.map(({ type, bins }, k) => ({ type, bins, edges: [...edges[k]!] })),
    shape,
    counts: [...counts],
    flow,
    masked,
    timings: {
      readMs: timings.readMs,
      uploadMs: timings.uploadMs,
      kernelMs: timings.kernelMs,
      totalMs: timings.totalMs,
    },
  });
  return `${printable(json)}\n`;
}
