import type { Algorithm, ComposedAlgorithm, WeightedAlgorithm } from "@polybin/core/backend";
import { failure, wrong } from "../../base/index.ts";
import { KERNELS } from "../generated/registry.ts";
import type { CountKernel, SumsKernel, WebgpuKernel } from "./kernel.ts";

/** A backend's kernels by the slugs of their algorithms: the built-in ones and the user's. */
export class Catalog {
  readonly #kernels = new Map<string, WebgpuKernel>();

  /** @throws ERR_INPUT if two kernels have the same slug. */
  constructor(brought: readonly WebgpuKernel[] = []) {
    for (const kernel of [...KERNELS, ...brought]) {
      const { slug } = kernel.algorithm;
      if (this.#kernels.has(slug)) {
        throw wrong(`expected a slug other than ${slug}: webgpu already has a kernel for it`);
      }
      this.#kernels.set(slug, kernel);
    }
  }

  /** The algorithms that count. */
  get counting(): readonly Algorithm[] {
    return [...this.#kernels.values()].flatMap((of) => (of.kind === "count" ? [of.algorithm] : []));
  }

  /** The algorithms that add weights up. */
  get weighted(): readonly (WeightedAlgorithm | ComposedAlgorithm)[] {
    return [...this.#kernels.values()].flatMap((of) => (of.kind === "count" ? [] : [of.algorithm]));
  }

  /** Returns the counting kernel of an algorithm. @throws ERR_UNSUPPORTED if there is none. */
  count(slug: string): CountKernel {
    const kernel = this.#kernels.get(slug);
    if (kernel?.kind === "count") return kernel;
    throw failure("ERR_UNSUPPORTED", `webgpu has no kernel for ${slug}`);
  }

  /** Returns the kernel of weighted sums of an algorithm, or null. */
  sums(slug: string): SumsKernel | null {
    const kernel = this.#kernels.get(slug);
    return kernel?.kind === "sums" ? kernel : null;
  }
}
