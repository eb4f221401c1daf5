import type { Backend, Engine } from "@polybin/core";
import {
  type Algorithm,
  type ComposedAlgorithm,
  isComposed,
  limits,
  type WeightedAlgorithm,
} from "@polybin/core/backend";
import type { Checker } from "./checker.ts";
import type { Encode } from "./request/ask.ts";

export { Skip } from "./skip.ts";

/**
 * How much is counted. `small` takes minutes on a device that counts 0.02 GB/s. `full` adds the large inputs and more
 * random ones.
 */
export type Size = "small" | "full";

/** One test, as plain data. */
export interface Case {
  readonly topic: string;
  readonly name: string;
  /** Runs the case. Throws a failure, or a `Skip`. */
  run(context: Context): Promise<void>;
}

/** The environment of a case. */
export interface Context {
  /** An open engine of the backend, shared by all cases. */
  readonly engine: Engine;
  readonly backend: Backend;
  readonly size: Size;
  /** The seed of random numbers, and the number of random inputs of a property. */
  readonly seed: number;
  readonly runs: number;
  /** Compares results and collects failures. The runner calls its `finish` after `run`. */
  readonly check: Checker;
  /** Counts into memory of the device. Absent: the suite has no option `encode`. */
  readonly encode?: Encode | undefined;
  /** Opens another engine of the same backend, which is closed after the case. */
  open(): Promise<Engine>;
}

/** The properties of a backend that decide the list of cases. */
export interface CaseRequest {
  /** The algorithms that the backend claims. */
  readonly algorithms: readonly Algorithm[];
  /** Their slugs. */
  readonly slugs: readonly string[];
  /** The slugs of the weighted algorithms. Empty: the backend has no feature tables. */
  readonly weighted: readonly string[];
  /** The weighted algorithms with kernels of their own, and those that choose among them. */
  readonly methods: readonly WeightedAlgorithm[];
  readonly composed: readonly ComposedAlgorithm[];
}

/** Extracts the properties of a backend that decide the list of cases. */
export function requestFor({ algorithms, weighted = [] }: Backend): CaseRequest {
  return {
    algorithms,
    slugs: algorithms.map(({ slug }) => slug),
    weighted: weighted.map(({ slug }) => slug),
    methods: weighted.filter((one): one is WeightedAlgorithm => !isComposed(one)),
    composed: weighted.filter(isComposed),
  };
}

/** Returns the algorithm of a slug that the backend claims. */
export function algorithmOf({ backend }: Pick<Context, "backend">, slug: string): Algorithm {
  return backend.algorithms.find((one) => one.slug === slug)!;
}

/** Returns the largest number of bins, up to 256, that an algorithm supports for every sample type. */
export function binsWith({ maxBins }: Pick<Algorithm, "maxBins">): number {
  return Math.min(limits.BYTE_VALUES, maxBins ?? limits.BYTE_VALUES);
}

/** Creates the cases of one topic. */
export type Topic = (request: CaseRequest) => readonly Case[];
