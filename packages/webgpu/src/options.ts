import type { DawnOptions } from "./base/index.ts";
import type { WebgpuKernel } from "./kernels/lib/kernel.ts";

/** The options of `webgpu`. */
export interface BackendOptions extends DawnOptions {
  /**
   * Algorithms of your own, in addition to the built-in ones. Each is what a folder of src/kernels exports. Default:
   * none.
   */
  readonly kernels?: readonly WebgpuKernel[] | undefined;
}
