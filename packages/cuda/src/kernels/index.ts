/** The kernels: a folder an algorithm, whose descriptor says all that other rooms know of it. */
import type { Algorithm, ComposedAlgorithm, WeightedAlgorithm } from "@polybin/core/backend";
import type { CountKernel, SumsChoice, SumsKernel } from "./descriptor.ts";
import { kernels } from "./generated/registry.ts";

export type { CodesKernel, CountKernel, SharedTables, SumsChoice, SumsKernel } from "./descriptor.ts";

const all: readonly (CountKernel | SumsKernel | SumsChoice)[] = kernels;

/** Kernels that count, and kernels of weighted sums. */
export const countKernels: readonly CountKernel[] = all.filter(
  (kernel) => kernel.reads === "samples" || kernel.reads === "codes",
);
export const sumsKernels: readonly SumsKernel[] = all.filter((kernel) => kernel.reads === "values");

/** What the backend says it has. */
export const countAlgorithms: readonly Algorithm[] = countKernels.map(({ algorithm }) => algorithm);
export const sumsAlgorithms: readonly (WeightedAlgorithm | ComposedAlgorithm)[] = all
  .filter((kernel) => kernel.reads === "values" || kernel.reads === "nothing")
  .map(({ algorithm }) => algorithm);

const bySlug = new Map<string, CountKernel>(countKernels.map((kernel) => [kernel.algorithm.slug, kernel]));
const sumsBySlug = new Map<string, SumsKernel>(sumsKernels.map((kernel) => [kernel.algorithm.slug, kernel]));

/** The kernel of an algorithm that this backend says it has. */
export function countKernel(slug: string): CountKernel {
  return found(bySlug.get(slug), slug);
}

/** The same of weighted sums; null where it has none. */
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
