import type { ChannelsPlan } from "@polybin/core";
import { type CellsJob, type CellsPlan, type Lowering, limits } from "@polybin/core/backend";
import type { WebgpuLimits } from "../../base/index.ts";
import type { Catalog } from "../../kernels/index.ts";
import type { Hardware } from "../../platform/index.ts";
import { type CountSteps, prepareCount } from "../prepare-count.ts";
import { compile, type Program } from "../program.ts";
import { planOfCells } from "../refuses-joint.ts";
import { withGaps } from "./gaps.ts";
import { type ColumnsKernel, cellsKernels, deviceColumns, fusedKernel, isFused } from "./kernels.ts";

/** The lookups of all columns, one after the other, and the first word of each. */
export interface JointLookup {
  readonly words: Uint32Array<ArrayBuffer>;
  readonly at: readonly number[];
}

/** A prepared joint job: numbers and texts. Nothing is compiled or allocated yet. */
export interface JointSteps {
  /** The plan, and the plan of the table: its cells may have gaps between them. */
  readonly plan: CellsPlan;
  readonly table: CellsPlan;
  /** The kernel that counts the columns, or those that write the cells of samples. */
  readonly kernels: readonly ColumnsKernel[];
  /** How the cells are then counted, like samples of 32 bits. Null: the first kernel counts. */
  readonly staged: CountSteps | null;
  /** Samples, or entries of a list, whose cells are written and counted at a time. */
  readonly atOnce: number;
  /** Returns the content of binding 3. */
  readonly lookup: () => JointLookup;
}

/** Compiled steps. */
export interface JointProgram {
  readonly pipelines: readonly GPUComputePipeline[];
  readonly staged: Program | null;
}

/** The place of the number of masked samples among the counts, and the number of all counts. */
export function maskedAt({ cells }: Pick<ChannelsPlan, "cells">): number {
  return cells + limits.FLOW_ROWS;
}

/**
 * Prepares a joint job.
 * @param sources the column whose samples each column reads: itself, or an earlier one that is a channel of the same
 * pixels
 * @throws ERR_UNSUPPORTED without a kernel
 */
export function prepareJoint(
  job: CellsJob,
  sources: readonly number[],
  catalog: Catalog,
  of: WebgpuLimits,
): JointSteps {
  const fused = isFused(job, of);
  const own = fused ? withGaps(job) : job;
  const columns = deviceColumns(own, of);
  let lookup: JointLookup | undefined;
  return {
    plan: job.plan,
    table: own.plan,
    kernels: fused ? [fusedKernel(own, columns, sources, of)] : cellsKernels(job, columns, of),
    staged: fused ? null : stagedSteps(job, catalog, of),
    atOnce: fused ? limits.U32_MAX : Math.min(limits.GPU_CODES, of.chunkBytes / limits.WORD_BYTES),
    lookup: () => {
      lookup ??= joined(columns.map(({ lowering }) => lowering.lookup?.() ?? new Uint32Array()));
      return lookup;
    },
  };
}

/** Prepares the count of cells as samples of one column over integers. Those of masked samples overflow. */
function stagedSteps({ plan }: CellsJob, catalog: Catalog, of: WebgpuLimits): CountSteps {
  const flow = plan.mask !== "none" || plan.listed;
  const lowering: Lowering = { kind: "direct", type: "u32", bins: plan.cells, start: 0, flow };
  const steps = prepareCount(
    { plan: planOfCells(plan), channels: [0], interleaved: 1, lowering },
    catalog,
    of,
  );
  // The cells are codes already.
  return steps.reads === "codes" ? { ...steps, lower: null } : steps;
}

function joined(lookups: readonly Uint32Array[]): JointLookup {
  const words = new Uint32Array(lookups.reduce((sum, { length }) => sum + length, 0));
  let next = 0;
  const at = lookups.map((lookup) => {
    const first = next;
    words.set(lookup, first);
    next += lookup.length;
    return first;
  });
  return { words, at };
}

export async function compileJoint(
  hardware: Hardware,
  { kernels, staged }: JointSteps,
): Promise<JointProgram> {
  const [pipelines, program] = await Promise.all([
    Promise.all(kernels.map(({ kernel }) => hardware.pipelines.of(kernel))),
    staged && compile(hardware, staged),
  ]);
  return { pipelines, staged: program };
}
