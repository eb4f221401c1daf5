import {
  type CellsInputs,
  type CellsPart,
  type CellsPlan,
  type ChannelsJob,
  type ChannelsPart,
  type Input,
  limits,
  type Prepared,
  rawShift,
  samplesOf,
} from "@polybin/core/backend";
import type { Pool } from "../dispatch/pool.ts";
import { prepareCells } from "./cells.ts";

/** Prepares counting over one axis with a kernel that counts cells: one channel after another is the only column. */
export function prepareColumns(pool: Pool, job: ChannelsJob): Prepared {
  const { channels, type, interleaved, axis, lowering } = job;
  const plan = planOf(job);
  const prepared = channels.map((channel) => {
    return prepareCells(pool, {
      kind: "cells",
      columns: [{ type, interleaved, channel, axis, lowering }],
      plan,
    });
  });
  return {
    get launch() {
      return prepared[0]!.launch;
    },
    countSync(input, options) {
      const inputs = inputsOf(input);
      return partOf(
        job,
        prepared.map(({ countSync }) => countSync(inputs, options)),
      );
    },
    async count(input, options) {
      const inputs = inputsOf(input);
      const parts: CellsPart[] = [];
      for (const one of prepared) parts.push(await one.count(inputs, options));
      return partOf(job, parts);
    },
  };
}

function inputsOf(input: Input): CellsInputs {
  const { pixels } = input.kind === "file" ? input.file : samplesOf(input);
  return { columns: [input], mask: null, where: null, samples: pixels };
}

/** Returns the plan of one column. */
function planOf({ plan, lowering }: ChannelsJob): CellsPlan {
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

function partOf({ plan }: ChannelsJob, parts: readonly CellsPart[]): ChannelsPart {
  const sum = (name: keyof CellsPart["timings"]) =>
    parts.reduce((total, { timings }) => total + timings[name], 0);
  return {
    channels: parts.map(({ cells }) => ({
      cells: new Float64Array(cells.subarray(0, plan.cells)),
      flow: plan.raw ? new Float64Array(limits.FLOW_ROWS) : new Float64Array(cells.subarray(plan.bins)),
    })),
    timings: { readMs: sum("readMs"), uploadMs: sum("uploadMs"), kernelMs: sum("kernelMs") },
  };
}
