import type { Plan } from "@polybin/core";
import type { Algorithm, ComposedAlgorithm, WeightedAlgorithm, WeightedPlan } from "@polybin/core/backend";
import { type Described, described, type Parts, type PartValues } from "../border/index.ts";

// What a folder of this room says about its kernel. kernel.cu beside it has the kernel and a function that launches it,
// named as the slug is in C++ (per-lane: perLane). Where the numbers below do not say all that must hold of a plan so that
// the kernel touches no memory but its own, check.cc has a function that does.

/** What every kernel has. */
interface Kernel<A, P> {
  readonly algorithm: A;
  /** The algorithm's own parameters: the C++ struct of the slug's name (per-lane: PerLane). */
  readonly own: Described;
  /** What they are in a plan. */
  readonly of: (plan: P) => Readonly<Record<string, number | boolean | string>>;
  /** Numbers that the kernel is compiled with, by the names that they have in C++. */
  readonly constants: Readonly<Record<string, number>>;
}

/** A kernel that finds the bins of samples by itself. */
export interface SamplesKernel extends Kernel<Algorithm, Plan> {
  readonly reads: "samples";
  /** Does it add to counts of 32 bits where these hold them? They are half as long to bring back. */
  readonly narrow: boolean;
  /** Does its last block hand the counts on where it is told to? Else a launch behind it does. */
  readonly delivers: boolean;
  /** Does it count segments, too? Then kernel.cu has a second function of the name, for these. */
  readonly segments: boolean;
}

/** A kernel that counts codes, which native/kernels/lower.cu makes of samples. */
export interface CodesKernel extends Kernel<Algorithm, Plan> {
  readonly reads: "codes";
  /** Threads of a block: a multiple of the one, the other at the most. */
  readonly threads: { readonly multipleOf: number; readonly most: number };
  /** Cells that it can count; `inAll`: those that its tables have, however few are counted. Absent: any number. */
  readonly cells?: { readonly most: number; readonly inAll?: boolean };
  /** What its tables take of a block's shared memory. */
  readonly shared: SharedTables;
  /** Does it need memory between its launches, a word for each block and each cell of a pass? */
  readonly scratch?: boolean;
}

/** Bytes that are always there, and a table for each block, each warp or each thread, whose cells come in words. */
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
export interface SumsKernel extends Kernel<WeightedAlgorithm, WeightedPlan> {
  readonly reads: "values";
  /** A sentence on why the kernel cannot do what a plan says; null where it can. */
  refuses(plan: WeightedPlan): string | null;
}

/** A weighted algorithm that takes others' kernels, another for each feature. */
export interface SumsChoice {
  readonly algorithm: ComposedAlgorithm;
  readonly reads: "nothing";
}

/** What a folder may give of its own parameters: which there are, and what they are in a plan. */
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
  facts: Own<P, Plan> & Pick<SamplesKernel, "narrow" | "delivers"> & Partial<Pick<SamplesKernel, "segments">>,
): SamplesKernel {
  const { narrow, delivers, segments = false } = facts;
  return { reads: "samples", narrow, delivers, segments, ...kernelOf(algorithm, facts) };
}

export function codesKernel<const P extends Parts = Parts>(
  algorithm: Algorithm,
  facts: Own<P, Plan> & Pick<CodesKernel, "threads" | "cells" | "shared" | "scratch">,
): CodesKernel {
  return { reads: "codes", ...facts, ...kernelOf(algorithm, facts) };
}

export function sumsKernel<const P extends Parts = Parts>(
  algorithm: WeightedAlgorithm,
  facts: Own<P, WeightedPlan> & Partial<Pick<SumsKernel, "refuses">>,
): SumsKernel {
  return { reads: "values", refuses: facts.refuses ?? (() => null), ...kernelOf(algorithm, facts) };
}

export function sumsChoice(algorithm: ComposedAlgorithm): SumsChoice {
  return { reads: "nothing", algorithm };
}

/** per-lane: PerLane */
function inPascalCase(slug: string): string {
  return slug
    .split("-")
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join("");
}
