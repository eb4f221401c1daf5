import { algorithms, limits } from "@polybin/core/backend";
import { enumeration } from "../../border/index.ts";
import { codesKernel } from "../descriptor.ts";

const { PRIVATIZED_THREADS, PRIVATIZED_BINS } = limits;

export const kernel = codesKernel(algorithms.privatized, {
  threads: { multipleOf: PRIVATIZED_THREADS, most: PRIVATIZED_THREADS },
  cells: { most: PRIVATIZED_BINS },
  shared: { bytes: PRIVATIZED_THREADS * PRIVATIZED_BINS },
  partials: true,
  own: {
    /** Whether to merge from time to time. Otherwise the plan has enough blocks that no counter can overflow. */
    periodic: "bool",
    layout: enumeration("Layout", ["row", "column", "interleaved"]),
  },
  of: ({ parameters: { merge, layout } }) => ({
    periodic: merge === "periodic",
    layout: layout as "row" | "column" | "interleaved",
  }),
  constants: { PRIVATIZED_THREADS, PRIVATIZED_BINS },
});
