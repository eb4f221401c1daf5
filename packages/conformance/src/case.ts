import type { Backend, Engine } from "@polybin/core";
import {
  type Algorithm,
  type ComposedAlgorithm,
  isComposed,
  limits,
  type WeightedAlgorithm,
} from "@polybin/core/backend";
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
  /** The algorithms that the backend claims. */
  readonly algorithms: readonly Algorithm[];
  /** Their slugs. */
  readonly slugs: readonly string[];
  /** The slugs of the weighted ones; none: it has no feature tables. */
  readonly weighted: readonly string[];
  /** Of those, the ones with kernels of their own, and the ones that choose among them. */
  readonly methods: readonly WeightedAlgorithm[];
  readonly composed: readonly ComposedAlgorithm[];
}

/** What the list of cases depends on, of a backend. */
export function requestFor({ algorithms, weighted = [] }: Backend): CaseRequest {
  return {
    algorithms,
    slugs: algorithms.map(({ slug }) => slug),
    weighted: weighted.map(({ slug }) => slug),
    methods: weighted.filter((one): one is WeightedAlgorithm => !isComposed(one)),
    composed: weighted.filter(isComposed),
  };
}

/** The definition behind a slug that the backend claims. */
export function algorithmOf({ backend }: Pick<Context, "backend">, slug: string): Algorithm {
  return backend.algorithms.find((one) => one.slug === slug)!;
}

/** As many bins as every sample type has with an algorithm, 256 at the most. */
export function binsWith({ maxBins }: Pick<Algorithm, "maxBins">): number {
  return Math.min(limits.BYTE_VALUES, maxBins ?? limits.BYTE_VALUES);
}

/** The cases of one topic. */
export type Topic = (request: CaseRequest) => readonly Case[];
