import type { ChannelsPlan } from "@polybin/core";
import { algorithms, type CellsPlan, type FusedTable, limits } from "@polybin/core/backend";
import { enumeration } from "../../border/index.ts";
import { codesKernel } from "../descriptor.ts";

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
    // The rule of fused adds this to the plans of one column, too.
    const { table } = plan as ChannelsPlan & Pick<CellsPlan, "table">;
    return { table, slots, lookupReplicas };
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
