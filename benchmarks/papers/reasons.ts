import type { Shown } from "./measured.ts";

/** Why nothing of a column can decide a statement, by the names in the figures' data. */
const REASONS = {
  "other features":
    "The features are a grid of our own, and the paper's are not public. A share of them says nothing about the paper's.",
  "no profiler":
    "The profiler ncu counts kernels of CUDA only, and WebGPU reports neither instructions, registers, shared memory nor resident threads.",
  "no lock-step":
    "The software tag needs warps in lock-step. WGSL has no warps, and workers have one thread each.",
  "one layout":
    "Polybin's `per-thread-64` has one layout and one order of its sums, so there is nothing to compare.",
  "no rounds": "Polybin's kernel with the tag does not count its rounds. The published one does.",
  "one time": "Polybin measures one time for counting and merging on WebGPU.",
  "whole words":
    "The kernels of WebGPU fetch whole words of values. None reads one value at a time, so N_unroll and N_buffer are whole words.",
  "one fetch": "This backend has one way to fetch values.",
  "a program of CUDA": "The kernel that loses additions is a program of CUDA.",
  "a GPU's": "The statement is about a GPU: its occupancy, registers, shared memory, memory or profiler.",
  "no method": "Workers have no kernel of this method.",
  "no such part": "Workers merge outside of their kernels, have no shared memory, and always sum rows.",
  "same method": "The hybrid of floats takes the same method for both on WebGPU.",
} as const;

/** Stands in the place of a verdict that has such a reason. */
export const CANNOT = "cannot be measured";

type Reason = keyof typeof REASONS;

/** A column of verdicts: the papers' kernels as published, a backend, or the CPU for figures that need no GPU. */
export type ColumnId = "published" | Shown | "cpu";

/** A reason for all columns, or for some of them. */
export type Because = Reason | Partial<Record<ColumnId, Reason>>;

/** Returns the reason of a column; null if measurements can decide. */
export function reasonOf(because: Because | undefined, column: ColumnId): string | null {
  const reason = typeof because === "string" ? because : because?.[column];
  if (reason === undefined) return null;
  const found = REASONS[reason];
  if (found === undefined)
    throw new Error(`expected ${Object.keys(REASONS).join(", ")} but received ${reason}`);
  return found;
}
