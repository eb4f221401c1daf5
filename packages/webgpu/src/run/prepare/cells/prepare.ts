import {
  type CellsJob,
  type CellsPlan,
  type DeviceLaunch,
  type Lowering,
  limits,
} from "@polybin/core/backend";
import type { WebgpuLimits } from "../../../base/index.ts";
import type { Catalog } from "../../../kernels/index.ts";
import type { Lookup } from "../../../memory/index.ts";
import type { Kernel } from "../../../platform/index.ts";
import { type ChannelsSteps, prepareChannels } from "../channels.ts";
import { described, frozen } from "../launch.ts";
import { planOfCells } from "../refuses.ts";
import { withGaps } from "./gaps.ts";
import { type ColumnsKernel, cellsKernels, deviceColumns, fusedKernel, isFused } from "./kernels.ts";

/** The lookups of all columns, one after the other, if there are any, and the first word of each. */
interface CellsLookups {
  readonly all: Lookup | null;
  readonly at: readonly number[];
}

/** A prepared joint job: numbers and texts. Nothing is compiled or allocated yet. */
export interface CellsSteps {
  /** The plan, and the plan of the table: its cells may have gaps between them. */
  readonly plan: CellsPlan;
  readonly table: CellsPlan;
  /** The kernel that counts the columns, or those that write the cells of samples. */
  readonly columns: readonly ColumnsKernel[];
  /** How the cells are then counted, like samples of 32 bits. Null: the first kernel counts. */
  readonly staged: ChannelsSteps | null;
  /** All kernels. */
  readonly kernels: readonly Kernel[];
  /** Samples, or entries of a list, whose cells are written and counted at a time. */
  readonly atOnce: number;
  readonly lookups: () => CellsLookups;
  readonly launch: DeviceLaunch;
}

/**
 * Prepares a joint job.
 * @param sources the column whose samples each column reads: itself, or an earlier one that is a channel of the same
 * pixels
 * @throws ERR_UNSUPPORTED without a kernel
 */
export function prepareCells(
  job: CellsJob,
  sources: readonly number[],
  catalog: Catalog,
  of: WebgpuLimits,
): CellsSteps {
  const fused = isFused(job, of);
  const own = fused ? withGaps(job) : job;
  const read = deviceColumns(own, of);
  const columns = fused ? [fusedKernel(own, read, sources, of)] : cellsKernels(job, read, of);
  const staged = fused ? null : stagedSteps(job, catalog, of);
  const atOnce = fused ? limits.U32_MAX : Math.min(limits.GPU_CODES, of.chunkBytes / limits.WORD_BYTES);
  const { plan } = job;
  let lookups: CellsLookups | undefined;
  return {
    ...{ plan, table: own.plan, columns, staged, atOnce },
    kernels: [...columns.map(({ kernel }) => kernel), ...(staged?.kernels ?? [])],
    lookups: () => {
      lookups ??= joined(read.map(({ lowering }) => lowering.lookup?.() ?? new Uint32Array()));
      return lookups;
    },
    launch: frozen({
      kernels: [
        ...columns.map(({ kernel, columns, grid }) => ({
          ...described(kernel, grid(plan.samples)),
          columns,
        })),
        ...(staged?.stages ?? []).map(({ kernel, grid }) => described(kernel, grid)),
      ],
      cellsAtOnce: staged === null ? 0 : atOnce,
      samplesBytesAtOnce: of.partBytes,
    }),
  };
}

/** Prepares the count of cells as samples of one column over integers. Those of masked samples overflow. */
function stagedSteps({ plan }: CellsJob, catalog: Catalog, of: WebgpuLimits): ChannelsSteps {
  const flow = plan.mask !== "none" || plan.listed;
  const lowering: Lowering = { kind: "direct", type: "u32", bins: plan.cells, start: 0, flow };
  const job = { plan: planOfCells(plan), channels: [0], interleaved: 1, lowering };
  const steps = prepareChannels(job, catalog, of);
  // The cells are codes already.
  return { ...steps, lower: null, kernels: steps.stages.map(({ kernel }) => kernel) };
}

function joined(lookups: readonly Uint32Array[]): CellsLookups {
  const words = new Uint32Array(lookups.reduce((sum, { length }) => sum + length, 0));
  let next = 0;
  const at = lookups.map((lookup) => {
    words.set(lookup, next);
    next += lookup.length;
    return next - lookup.length;
  });
  return { all: words.length === 0 ? null : { key: words, words: () => words }, at };
}
