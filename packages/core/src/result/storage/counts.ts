import { MAX_SAMPLES } from "../../base/index.ts";
import { exactDifference, exactSum } from "../combine.ts";
import type { Rows, Storage } from "./storage.ts";

/** One exact count per cell. */
export const COUNTS: Storage = {
  main: 0,
  sum: [exactSum],
  difference: [exactDifference],
  check: ([counts]) => checkExact(counts!),
  write([counts]: Rows, writer) {
    return {
      storage: { type: "int", values: writer.nested("counts", counts!) },
      notes: { cells: writer.outside("counts", counts!) },
    };
  },
};

/** Checks sums of counts. @throws ERR_LIMIT if one is no longer an exact integer. */
export function checkExact(counts: Float64Array): void {
  for (let i = 0; i < counts.length; i++) if (counts[i]! > MAX_SAMPLES) exactSum(counts[i]!, 0);
}
