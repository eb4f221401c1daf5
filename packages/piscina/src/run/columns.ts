import {
  type CellsInputs,
  type CellsPart,
  type CellsPlan,
  type ChannelCounts,
  type ChannelsPart,
  type CountJob,
  type Input,
  limits,
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
    return prepareJoint(pool, instances, {
      kind: "cells",
      columns: [{ type, interleaved, channel, axis, lowering }],
      plan,
    });
  });
  const inputsOf = (input: Input): CellsInputs => {
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
      const partials: CellsPart[] = [];
      for (const one of prepared) partials.push(await one.count(inputsOf(input), options));
      return partialOf(job, partials);
    },
  };
}

/** Returns the plan of one column. */
function planOf({ plan, lowering }: CountJob): CellsPlan {
  const { raw, type, cells, bins } = plan;
  const extent = raw ? cells : bins + limits.FLOW_ROWS;
  const column = { type, lowering: lowering.kind, stride: 1, extent } as const;
  return {
    ...plan,
    kind: "cells",
    columns: [raw ? { ...column, by: "raw", shift: rawShift(plan) } : { ...column, by: "code", shift: null }],
    mask: "none",
    listed: false,
    cells: extent,
    offset: 0,
    table: "replicas",
    staged: false,
  };
}

function partialOf({ plan }: CountJob, partials: readonly CellsPart[]): ChannelsPart {
  const channels = partials.map(({ cells }): ChannelCounts => {
    const counts = cells as Float64Array;
    const flow = plan.raw ? new Float64Array(limits.FLOW_ROWS) : counts.slice(plan.bins);
    return { cells: counts.slice(0, plan.cells), flow };
  });
  const sum = (name: keyof CellsPart["timings"]) =>
    partials.reduce((total, { timings }) => total + timings[name], 0);
  return {
    channels,
    timings: { readMs: sum("readMs"), uploadMs: sum("uploadMs"), kernelMs: sum("kernelMs") },
  };
}
