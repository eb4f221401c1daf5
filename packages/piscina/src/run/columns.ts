import {
  type ChannelCounts,
  type CountJob,
  type Input,
  type JointInputs,
  type JointPartial,
  type JointPlan,
  limits,
  type Partial,
  type Prepared,
  rawShift,
  samplesOf,
} from "@polybin/core/backend";
import type { VisibleInstances } from "../platform/index.ts";
import { prepareJoint } from "./joint.ts";
import type { Pool } from "./pool.ts";

/** Prepares counting over one axis with a kernel that counts cells: one channel after another is the only column. */
export function prepareColumns(pool: Pool, instances: VisibleInstances, job: CountJob): Prepared {
  const { channels, type, interleaved, axis, lowering } = job;
  const plan = planOf(job);
  const prepared = channels.map((channel) => {
    return prepareJoint(pool, instances, { columns: [{ type, interleaved, channel, axis, lowering }], plan });
  });
  const inputsOf = (input: Input): JointInputs => {
    const { pixels } = input.kind === "file" ? input.file : samplesOf(input);
    return { columns: [input], mask: null, where: null, samples: pixels };
  };
  return {
    get launch() {
      return prepared[0]!.launch;
    },
    countSync: (input, options) => {
      return partialOf(
        job,
        prepared.map(({ countSync }) => countSync(inputsOf(input), options)),
      );
    },
    async count(input, options) {
      const partials: JointPartial[] = [];
      for (const one of prepared) partials.push(await one.count(inputsOf(input), options));
      return partialOf(job, partials);
    },
  };
}

/** Returns the plan of one column. */
function planOf({ plan, lowering }: CountJob): JointPlan {
  const { raw, type, cells, bins } = plan;
  const extent = raw ? cells : bins + limits.FLOW_ROWS;
  const column = { type, lowering: lowering.kind, stride: 1, extent } as const;
  return {
    ...plan,
    columns: [raw ? { ...column, by: "raw", shift: rawShift(plan) } : { ...column, by: "code", shift: null }],
    mask: "none",
    listed: false,
    cells: extent,
    offset: 0,
    table: "replicas",
    staged: false,
  };
}

function partialOf({ plan }: CountJob, partials: readonly JointPartial[]): Partial {
  const channels = partials.map(({ cells }): ChannelCounts => {
    const counts = cells as Float64Array;
    const flow = plan.raw ? new Float64Array(limits.FLOW_ROWS) : counts.slice(plan.bins);
    return { cells: counts.slice(0, plan.cells), flow };
  });
  const sum = (name: keyof JointPartial["timings"]) =>
    partials.reduce((total, { timings }) => total + timings[name], 0);
  return {
    channels,
    timings: { readMs: sum("readMs"), uploadMs: sum("uploadMs"), kernelMs: sum("kernelMs") },
  };
}
