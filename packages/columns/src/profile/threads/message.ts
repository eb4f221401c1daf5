import type { ColumnPlan } from "../partial/plan.ts";
import type { Filled } from "./slots.ts";

/** The data that a thread starts with. */
export interface Start {
  readonly plans: readonly ColumnPlan[];
  readonly memory: SharedArrayBuffer;
}

/** Values of a column. */
export interface ColumnValues {
  readonly column: number;
  readonly filled: Filled;
}

/** A message to a thread: values to add, or null to ask for the sums of all columns. */
export type ToThread = readonly ColumnValues[] | null;

/** A message of a thread: it has started, it has added the values of some slots, its sums, or why it cannot go on. */
export type FromThread =
  | { readonly kind: "started" }
  | { readonly kind: "added"; readonly slots: readonly number[] }
  | { readonly kind: "sums"; readonly columns: readonly (readonly [column: number, bytes: Uint8Array])[] }
  | { readonly kind: "failed"; readonly message: string };
