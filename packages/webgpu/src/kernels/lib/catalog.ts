import { PolybinError, type Slug, type WeightedSlug } from "@polybin/core";
import { KERNELS } from "../generated/registry.ts";
import type { CountKernel, SumsKernel, WebgpuKernel } from "./kernel.ts";

/** The algorithms of a backend: those of the folders, and those that a user brings. */
export class Catalog {
  readonly #kernels = new Map<string, WebgpuKernel>();

  /** @throws ERR_INPUT where two have the same slug. */
  constructor(brought: readonly WebgpuKernel[] = []) {
    for (const kernel of [...KERNELS, ...brought]) {
      if (this.#kernels.has(kernel.slug)) {
        throw new PolybinError("ERR_INPUT", `expected another slug than ${kernel.slug}: webgpu has one`, {
          backend: "webgpu",
        });
      }
      this.#kernels.set(kernel.slug, kernel);
    }
  }

  /** Slugs that count. */
  get counts(): readonly Slug[] {
    return this.#slugs((kind) => kind === "count") as Slug[];
  }

  /** Slugs that add weights up. */
  get weighted(): readonly WeightedSlug[] {
    return this.#slugs((kind) => kind !== "count") as WeightedSlug[];
  }

  #slugs(wanted: (kind: WebgpuKernel["kind"]) => boolean): string[] {
    return [...this.#kernels.values()].filter(({ kind }) => wanted(kind)).map(({ slug }) => slug);
  }

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
