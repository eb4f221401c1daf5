import type { Plan } from "@polybin/core";
import type { LaneTables } from "@polybin/core/backend";
import type { NativePlan } from "./native.ts";

const NO_LANES: LaneTables = {
  rows: 0,
  rowsPerBlock: 0,
  channelsPerBlock: 0,
  counterBytes: 0,
  lookupReplicas: 0,
  inFlight: 0,
};
const LAYOUTS = ["row", "column", "interleaved"] as const;

/** A plan in the form that native/boundary/jobs.cc reads. */
export function nativePlan(plan: Plan): NativePlan {
  return {
    cells: plan.cells,
    cellsPerPass: plan.cellsPerPass,
    passes: plan.passes,
    threads: plan.threads,
    blocks: plan.blocks,
    replicas: plan.replicas,
    sharedBytes: plan.sharedBytes,
    wordsPerThread: plan.wordsPerThread ?? 0,
    k: plan.k ?? 0,
    tag: plan.collisions === "tag",
    periodic: plan.merge === "periodic",
    layout: LAYOUTS.indexOf(plan.layout ?? "interleaved"),
    ...(plan.lane ?? NO_LANES),
  };
}
