import type { DawnOptions } from "./base/index.ts";
import type { WebgpuKernel } from "./kernels/lib/kernel.ts";

/** What `webgpu` takes. */
export interface BackendOptions extends DawnOptions {
  /** Algorithms of your own, beside those that are here: what a folder of src/kernels exports. */
  readonly kernels?: readonly WebgpuKernel[] | undefined;
}
