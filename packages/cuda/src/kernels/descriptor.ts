import type { ChannelsPlan } from "@polybin/core";
import type {
  Algorithm,
  CellsPlan,
  ComposedAlgorithm,
  SumsPlan,
  WeightedAlgorithm,
} from "@polybin/core/backend";
import { type Described, described, type Parts, type PartValues } from "../border/index.ts";

// The description of a folder's kernel. kernel.cu in the same folder has the kernel and a function that launches it.
// The function has the slug's name in C++ (per-lane: perLane). The numbers below bound the memory that a kernel
// touches. If a plan must satisfy more conditions for that, check.cc has a function that checks them.

/** The plans that a kernel of counts may receive. */
export type CountPlan = ChannelsPlan | CellsPlan;

/** The parts that every kernel has. */
interface Kernel<A, P> {
  readonly algorithm: A;
  /** The algorithm's own parameters, in the C++ struct with the slug's name (per-lane: PerLane). */
  readonly own: Described;
  /** Returns their values for a plan. */
  readonly of: (plan: P) => Readonly<Record<string, number | boolean | string>>;
  /** Numbers that the kernel is compiled with, by their names in C++. */
  readonly constants: Readonly<Record<string, number>>;
}

/** The parts that every kernel of counts has. */
interface Counting extends Kernel<Algorithm, CountPlan> {
  /** Whether it adds to counts of 32 bits if they suffice. Half as many bytes are then added to and copied back. */
  readonly narrow: boolean;
}

/** A kernel that finds the bins of samples itself. */
export interface SamplesKernel extends Counting {
  readonly reads: "samples";
  /** Whether its last block delivers the counts to a given place. Otherwise a launch after it does. */
  readonly delivers: boolean;
  /** Whether it also counts segments. kernel.cu then has a second function of the same name for them. */
  readonly segments: boolean;
}

/** A kernel that counts codes, which native/kernels/lower.cu makes from samples. */
export interface CodesKernel extends Counting {
  readonly reads: "codes";
  /** Threads of a block: a multiple of the first number, and at most the second. */
  readonly threads: { readonly multipleOf: number; readonly most: number };
  /**
   * The most cells that it can count. `inAll` means that its tables have all of them, even if fewer are counted.
   * Default: any number.
   */
  readonly cells?: { readonly most: number; readonly inAll?: boolean };
  /** The shared memory that its tables take in a block. */
  readonly shared: SharedTables;
  /** Whether its blocks write partial tables if the plan has them. Default: false. */
  readonly partials?: boolean;
  /**
   * Whether it also finds the cells of several columns. kernel.cu then has a second function of the same name for them.
   * Default: false.
   */
  readonly columns?: boolean;
}

/** Bytes that are always needed, and a table per block, warp or thread, whose cells are grouped in words. */
export interface SharedTables {
  readonly bytes?: number;
  readonly table?: {
    readonly of: "block" | "warp" | "thread";
    readonly cells: number;
    readonly bytes: number;
  };
}

export type CountKernel = SamplesKernel | CodesKernel;

/** A kernel of weighted sums. */
export interface SumsKernel extends Kernel<WeightedAlgorithm, SumsPlan> {
  readonly reads: "values";
  /** Returns a sentence on why the kernel cannot run a plan, or null if it can. */
  refuses(plan: SumsPlan): string | null;
}

/** A weighted algorithm that uses the kernels of others and chooses one per feature. */
export interface SumsChoice {
  readonly algorithm: ComposedAlgorithm;
  readonly reads: "nothing";
}

/** The optional parts of a folder's definition: the algorithm's own parameters, and their values for a plan. */
interface Own<P extends Parts, From> {
  readonly own?: P;
  readonly of?: (plan: From) => PartValues<P>;
  readonly constants?: Readonly<Record<string, number>>;
}

function kernelOf<A extends { readonly slug: string }, P extends Parts, From>(
  algorithm: A,
  of: Own<P, From>,
): Kernel<A, From> {
  const own = described(inPascalCase(algorithm.slug), of.own ?? {});
  return { algorithm, own, of: of.of ?? (() => ({})), constants: of.constants ?? {} };
}

export function samplesKernel<const P extends Parts = Parts>(
  algorithm: Algorithm,
  facts: Own<P, CountPlan> &
    Pick<SamplesKernel, "narrow" | "delivers"> &
    Partial<Pick<SamplesKernel, "segments">>,
): SamplesKernel {
  const { narrow, delivers, segments = false } = facts;
  return { reads: "samples", narrow, delivers, segments, ...kernelOf(algorithm, facts) };
}

export function codesKernel<const P extends Parts = Parts>(
  algorithm: Algorithm,
  facts: Own<P, CountPlan> &
    Pick<CodesKernel, "threads" | "cells" | "shared" | "partials" | "columns"> &
    Partial<Pick<CodesKernel, "narrow">>,
): CodesKernel {
  return { reads: "codes", narrow: false, ...facts, ...kernelOf(algorithm, facts) };
}

export function sumsKernel<const P extends Parts = Parts>(
  algorithm: WeightedAlgorithm,
  facts: Own<P, SumsPlan> & Partial<Pick<SumsKernel, "refuses">>,
): SumsKernel {
  return { reads: "values", refuses: facts.refuses ?? (() => null), ...kernelOf(algorithm, facts) };
}

export function sumsChoice(algorithm: ComposedAlgorithm): SumsChoice {
  return { reads: "nothing", algorithm };
}

/** Converts per-lane to PerLane. */
function inPascalCase(slug: string): string {
  return slug
    .split("-")
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join("");
}
