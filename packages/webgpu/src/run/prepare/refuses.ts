import type { ChannelsPlan } from "@polybin/core";
import { type CellsPlan, limits, type Plan } from "@polybin/core/backend";
import type { WebgpuLimits } from "../../base/index.ts";
import type { Catalog } from "../../kernels/index.ts";
import { refusesSums } from "./flushes.ts";

/** Returns a sentence that states why this device cannot run a plan, or null if it can. */
export function refuses(plan: Plan, catalog: Catalog, of: WebgpuLimits): string | null {
  if (plan.kind === "sums") return refusesSums(plan, catalog, of);
  if (plan.kind === "channels") return catalog.count(plan.algorithm).refuses?.(plan) ?? null;
  // The counts of flow and of masked samples follow those of the cells.
  const most = Math.floor(of.chunkBytes / limits.WORD_BYTES) - limits.FLOW_ROWS - 1;
  if (plan.cells > most) {
    return `this WebGPU device binds at most ${most} cells and the request has ${plan.cells}`;
  }
  return catalog.count(plan.algorithm).refuses?.(planOfCells(plan)) ?? null;
}

/** Returns the plan of an algorithm that counts the cells of samples like one column of integers. */
export function planOfCells(plan: CellsPlan): ChannelsPlan {
  const { cells, cellsPerPass, staged } = plan;
  return {
    ...plan,
    ...{ kind: "channels", type: "u32", lowering: "direct", raw: false, bins: cells, channels: 1 },
    // The table of `fused` may have gaps, but these cells lie next to one another.
    ...(!staged && { passes: limits.divideCeiling(cells, cellsPerPass) }),
  };
}
