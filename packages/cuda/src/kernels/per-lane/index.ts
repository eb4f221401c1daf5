import { algorithms, type LaneTables, limits } from "@polybin/core/backend";
import { samplesKernel } from "../descriptor.ts";

const { PER_LANE_THREADS, PER_LANE_IN_FLIGHT } = limits;

export const kernel = samplesKernel(algorithms["per-lane"], {
  narrow: true,
  delivers: true,
  own: {
    /** Rows of a channel's table, and the rows that a block counts. */
    rows: "u32",
    rowsPerBlock: "u32",
    /** Channels that a block counts: all or one. */
    channelsPerBlock: "u32",
    /** Bytes of a block's counters, and the number of copies of the lookup after them. */
    counterBytes: "u32",
    lookupReplicas: "u32",
    /** 16-byte loads that a thread has in flight. */
    inFlight: { least: 1, most: PER_LANE_IN_FLIGHT },
  },
  of: ({ own }) => own as LaneTables | undefined as LaneTables,
  constants: { PER_LANE_THREADS, PER_LANE_IN_FLIGHT },
});
