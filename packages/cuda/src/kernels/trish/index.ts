import { algorithms, limits } from "@polybin/core/backend";
import { enumeration } from "../../border/index.ts";
import { codesKernel } from "../descriptor.ts";

const { TRISH_THREADS, TRISH_BINS, TRISH_WORDS, TRISH_BATCH } = limits;

export const kernel = codesKernel(algorithms.trish, {
  threads: { multipleOf: TRISH_THREADS, most: TRISH_THREADS },
  cells: { most: TRISH_BINS, inAll: true },
  shared: { bytes: TRISH_THREADS * TRISH_BINS },
  partials: true,
  own: {
    /** Words that a thread bins before it checks whether its rows must be summed. */
    k: { least: 1, most: TRISH_WORDS },
    /** How a row sum takes the four counters of a word. */
    rowSums: enumeration("RowSums", ["pairs", "singletons"]),
  },
  of: ({ parameters }) => ({
    k: Number(parameters.k),
    rowSums: parameters.rowSums as "pairs" | "singletons",
  }),
  constants: { TRISH_THREADS, TRISH_BINS, TRISH_WORDS, TRISH_BATCH },
});
