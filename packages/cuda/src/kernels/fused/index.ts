import { algorithms, type FusedTable, limits } from "@polybin/core/backend";
import { enumeration } from "../../border/index.ts";
import { type CountPlan, codesKernel } from "../descriptor.ts";

const {
  FUSED_THREADS,
  FUSED_UNIT,
  FUSED_SPILL,
  FUSED_HIGH,
  FUSED_WAIT_NS,
  FUSED_PACKED_BYTES,
  FUSED_HOT,
  FUSED_HOT_LANES,
} = limits;

const TABLES = ["replicas", "packed", "global"] as const;

export const kernel = codesKernel(algorithms.fused, {
  threads: { multipleOf: limits.WARP_THREADS, most: FUSED_THREADS },
  shared: {},
  columns: true,
  own: {
    /** The place of the counters, as core's JointTable. */
    table: enumeration("TableKind", TABLES),
    /** Counters of a table, with the gaps between them. */
    slots: "u32",
    /** Copies of each column's thresholds in shared memory. */
    lookupReplicas: "u32",
  },
  of: (plan) => {
    const { slots, lookupReplicas } = plan.own as FusedTable;
    return { table: tableOf(plan), slots, lookupReplicas };
  },
  constants: {
    FUSED_THREADS,
    FUSED_UNIT,
    FUSED_SPILL,
    FUSED_HIGH,
    FUSED_WAIT_NS,
    FUSED_PACKED_BYTES,
    FUSED_HOT,
    FUSED_HOT_LANES,
  },
});

/** Returns the place of the counters. A plan of channels does not name it, because most algorithms have only one. */
function tableOf(plan: CountPlan): (typeof TABLES)[number] {
  if (plan.kind === "cells") return plan.table;
  if (plan.counterBits === 16) return "packed";
  return plan.sharedBytes > 0 ? "replicas" : "global";
}
