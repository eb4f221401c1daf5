import { algorithms, limits } from "@polybin/core/backend";
import { enumeration } from "../../border/index.ts";
import { codesKernel } from "../descriptor.ts";

const { PRIVATIZED_THREADS, PRIVATIZED_BINS, PRIVATIZED_SPILL } = limits;

/** The values of `merge`, by their names in C++. */
const MERGES = {
  periodic: "periodic",
  avoid: "avoid",
  "check-shared": "checkShared",
  "check-global": "checkGlobal",
} as const;

export const kernel = codesKernel(algorithms.privatized, {
  threads: { multipleOf: PRIVATIZED_THREADS, most: PRIVATIZED_THREADS },
  cells: { most: PRIVATIZED_BINS },
  shared: { bytes: PRIVATIZED_THREADS * PRIVATIZED_BINS },
  partials: true,
  narrow: true,
  own: {
    /** The strategy against overflow. With `avoid`, the plan has enough blocks. */
    merge: enumeration("Merge", ["periodic", "avoid", "checkShared", "checkGlobal"]),
    layout: enumeration("Layout", ["row", "column", "interleaved"]),
  },
  of: ({ parameters: { merge, layout } }) => ({
    merge: MERGES[merge as keyof typeof MERGES],
    layout: layout as "row" | "column" | "interleaved",
  }),
  constants: { PRIVATIZED_THREADS, PRIVATIZED_BINS, PRIVATIZED_SPILL },
});
