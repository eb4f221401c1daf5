import { PolybinError } from "@polybin/core";
import { checkedWhole, checkNames, checkSwitch, expected } from "@polybin/core/backend";
import type { Case, Size } from "./case.ts";
import type { KernelFolder } from "./parity.ts";

/** What a run may be told. */
export interface SuiteOptions {
  /** Default small. */
  readonly size?: Size;
  /** Only these cases. */
  readonly filter?: (of: Case) => boolean;
  /** Where random inputs start. A failing property prints its own. Default 1. */
  readonly seed?: number;
  /** Random inputs a property. Default 40, or 400 in size full. */
  readonly numRuns?: number;
  /**
   * The backend's kernel folder, such as `new URL("../src/kernels/", import.meta.url)`: adds the case that
   * compares its files with the claimed slugs.
   */
  readonly kernels?: KernelFolder;
  /** Names in that folder that are no kernels, beside `KERNEL_HELPERS`. */
  readonly kernelHelpers?: readonly string[];
  /** True: a backend that is not available here fails instead of being skipped. Default false. */
  readonly required?: boolean;
}

const NAMES = [
  "size",
  "filter",
  "seed",
  "numRuns",
  "kernels",
  "kernelHelpers",
  "required",
] satisfies (keyof SuiteOptions)[];

/**
 * The options of a run, every name and simple value checked: a suite that a slip of the pen made smaller would pass.
 * @param others names that a function takes beside them
 * @throws ERR_INPUT
 */
export function checkSuiteOptions(options: SuiteOptions, others: readonly string[] = []): void {
  checkNames(options, [...NAMES, ...others]);
  const { size, filter, seed, numRuns, kernels, kernelHelpers, required } = options;
  if (size !== undefined && size !== "small" && size !== "full") {
    throw expected("ERR_INPUT", "size", "small or full", size);
  }
  if (filter !== undefined && typeof filter !== "function") {
    throw expected("ERR_INPUT", "filter", "a function", filter);
  }
  if (seed !== undefined) checkedWhole(seed, "seed", 0);
  if (numRuns !== undefined) checkedWhole(numRuns, "numRuns", 1);
  if (kernelHelpers !== undefined && !Array.isArray(kernelHelpers)) {
    throw expected("ERR_INPUT", "kernelHelpers", "an array of names", kernelHelpers);
  }
  if (kernelHelpers !== undefined && kernels === undefined) {
    throw new PolybinError("ERR_INPUT", "expected kernels beside kernelHelpers but it is missing");
  }
  checkSwitch(required, "required");
}
