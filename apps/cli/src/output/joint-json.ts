import type { JointResult } from "../joint.ts";
import { printable } from "./words.ts";

/** The result as `--json` prints it: one object on one line. Counts are row-major: the second column is the fastest. */
export function jointJson({ columns, joint, work, merged, timings }: JointResult): string {
  const { axes, edges, shape, counts, flow, masked } = joint;
  const json = JSON.stringify({
    input: columns.map(({ input, channel }) => ({ ...input, channel })),
    backend: work?.backend ?? null,
    device: work?.device ?? null,
    algorithm: work?.algorithm ?? null,
    // The plan of a table is that of its first rows.
    plan: work?.plan ? { ...work.plan, samples: columns[0].input.samples } : null,
    axes: axes.map(({ type, bins }, k) => ({ type, bins, edges: [...edges[k]!] })),
    shape,
    counts: [...counts],
    flow,
    masked,
    ...(merged !== undefined && { merged }),
    timings: {
      readMs: timings.readMs,
      uploadMs: timings.uploadMs,
      kernelMs: timings.kernelMs,
      totalMs: timings.totalMs,
    },
  });
  return `${printable(json)}\n`;
}
