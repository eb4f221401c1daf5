/** The kernels: one folder per algorithm. Its descriptor is all that other folders know about it. */
import type { Algorithm, ComposedAlgorithm, WeightedAlgorithm } from "@polybin/core/backend";
import type { CountKernel, SumsChoice, SumsKernel } from "./descriptor.ts";
import { kernels } from "./generated/registry.ts";

export type { CountKernel, CountPlan, SumsChoice, SumsKernel } from "./descriptor.ts";

const all: readonly (CountKernel | SumsKernel | SumsChoice)[] = kernels;

/** Kernels that count, and kernels of weighted sums. */
export const countKernels: readonly CountKernel[] = all.filter(
  (kernel) => kernel.reads === "samples" || kernel.reads === "codes",
);
export const sumsKernels: readonly SumsKernel[] = all.filter((kernel) => kernel.reads === "values");

/** The algorithms that the backend reports. */
export const countAlgorithms: readonly Algorithm[] = countKernels.map(({ algorithm }) => algorithm);
export const sumsAlgorithms: readonly (WeightedAlgorithm | ComposedAlgorithm)[] = all
  .filter((kernel) => kernel.reads === "values" || kernel.reads === "nothing")
  .map(({ algorithm }) => algorithm);

const bySlug = new Map<string, CountKernel>(countKernels.map((kernel) => [kernel.algorithm.slug, kernel]));
const sumsBySlug = new Map<string, SumsKernel>(sumsKernels.map((kernel) => [kernel.algorithm.slug, kernel]));

/** Returns the kernel of an algorithm that this backend reports. */
export function countKernel(slug: string): CountKernel {
  return found(bySlug.get(slug), slug);
}

/** Returns the kernel of weighted sums of an algorithm, or null. */
export function sumsKernelOrNull(slug: string): SumsKernel | null {
  return sumsBySlug.get(slug) ?? null;
}

export function sumsKernel(slug: string): SumsKernel {
  return found(sumsBySlug.get(slug), slug);
}

function found<K>(kernel: K | undefined, slug: string): K {
  if (kernel === undefined) throw new Error(`no kernel for ${slug}`);
  return kernel;
}
