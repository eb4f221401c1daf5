import { PolybinError } from "@polybin/core";
import type { Algorithm, ComposedAlgorithm, WeightedAlgorithm } from "@polybin/core/backend";
import { KERNELS } from "../generated/registry.ts";
import type { CountKernel, SumsKernel, WebgpuKernel } from "./kernel.ts";

/** The kernels of a backend by the slugs of their algorithms: those of the folders, and those that a user brings. */
export class Catalog {
  readonly #kernels = new Map<string, WebgpuKernel>();

  /** @throws ERR_INPUT where two have the same slug. */
  constructor(brought: readonly WebgpuKernel[] = []) {
    for (const kernel of [...KERNELS, ...brought]) {
      const { slug } = kernel.algorithm;
      if (this.#kernels.has(slug)) {
        throw new PolybinError(
          "ERR_INPUT",
          `expected another slug than ${slug}: webgpu has a kernel for it`,
          {
            backend: "webgpu",
          },
        );
      }
      this.#kernels.set(slug, kernel);
    }
  }

  /** The algorithms that count. */
  get counting(): readonly Algorithm[] {
    return [...this.#kernels.values()].flatMap((of) => (of.kind === "count" ? [of.algorithm] : []));
  }

  /** Those that add weights up. */
  get weighted(): readonly (WeightedAlgorithm | ComposedAlgorithm)[] {
    return [...this.#kernels.values()].flatMap((of) => (of.kind === "count" ? [] : [of.algorithm]));
  }

  /** @throws ERR_UNSUPPORTED where there is none. */
  count(slug: string): CountKernel {
    const kernel = this.#kernels.get(slug);
    if (kernel?.kind === "count") return kernel;
    throw new PolybinError("ERR_UNSUPPORTED", `webgpu has no kernel for ${slug}`, { backend: "webgpu" });
  }

  /** Null where there is none. */
  sums(slug: string): SumsKernel | null {
    const kernel = this.#kernels.get(slug);
    return kernel?.kind === "sums" ? kernel : null;
  }
}
