import type { Backend, Engine, Slug, WeightedSlug } from "@polybin/core";
import type { Checker } from "./checker.ts";

export { Skip } from "./skip.ts";

/**
 * How much is counted. `small`: done within minutes on a device that counts 0.02 GB/s; `full` adds the
 * large inputs and more random ones.
 */
export type Size = "small" | "full";

/** One test, as plain data. */
export interface Case {
  readonly topic: string;
  readonly name: string;
  /** Throws what is wrong, or a `Skip`. */
  run(context: Context): Promise<void>;
}

/** What a case works with. */
export interface Context {
  /** An open engine of the backend, shared by all cases. */
  readonly engine: Engine;
  readonly backend: Backend;
  readonly size: Size;
  /** Where random numbers start, and how many random inputs a property tries. */
  readonly seed: number;
  readonly runs: number;
  /** Compares and collects what is wrong; the runner asks it for the verdict when `run` has ended. */
  readonly check: Checker;
  /** Another engine of the same backend, closed when the case has ended. */
  open(): Promise<Engine>;
}

/** What the list of cases depends on. */
export interface CaseRequest {
  /** The slugs that the backend claims. */
  readonly slugs: readonly Slug[];
  /** The weighted ones; none: it has no feature tables. */
  readonly weighted: readonly WeightedSlug[];
}

/** The cases of one topic. */
export type Topic = (request: CaseRequest) => readonly Case[];
