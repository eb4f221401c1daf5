import { PolybinError } from "@polybin/core";
import { checkedWhole, checkNames, checkSwitch, expected } from "@polybin/core/backend";
import type { Case, Size } from "./case.ts";
import type { KernelFolder } from "./parity.ts";
import type { Encode } from "./request/ask.ts";

/** Options of a run. */
export interface SuiteOptions {
  /** How much is counted. Default: "small". */
  readonly size?: Size;
  /** Selects the cases to run. Default: all. */
  readonly filter?: (of: Case) => boolean;
  /** Seed of random inputs. A failing property prints its own. Default: 1. */
  readonly seed?: number;
  /** Number of random inputs per property. Default: 40, or 400 in size "full". */
  readonly numRuns?: number;
  /**
   * The backend's kernel folder, such as `new URL("../src/kernels/", import.meta.url)`. It adds the case that
   * compares its files with the claimed slugs.
   */
  readonly kernels?: KernelFolder;
  /** Names in that folder that are not kernels, in addition to `KERNEL_HELPERS`. */
  readonly kernelHelpers?: readonly string[];
  /** Counts into memory of the device, for backends that encode. */
  readonly encode?: Encode;
  /** Whether a backend that is not available here fails instead of being skipped. Default: false. */
  readonly required?: boolean;
}

const NAMES = [
  "size",
  "filter",
  "seed",
  "numRuns",
  "kernels",
  "kernelHelpers",
  "encode",
  "required",
] satisfies (keyof SuiteOptions)[];

/**
 * Checks every name and simple value in the options of a run, because a misspelled option could make the suite
 * smaller.
 * @param others names that a function accepts in addition
 * @throws ERR_INPUT
 */
export function checkSuiteOptions(options: SuiteOptions, others: readonly string[] = []): void {
  checkNames(options, [...NAMES, ...others]);
  const { size, filter, seed, numRuns, kernels, kernelHelpers, encode, required } = options;
  if (size !== undefined && size !== "small" && size !== "full") {
    throw expected("ERR_INPUT", "size", "small or full", size);
  }
  for (const [name, given] of Object.entries({ filter, encode })) {
    if (given !== undefined && typeof given !== "function")
      throw expected("ERR_INPUT", name, "a function", given);
  }
  if (seed !== undefined) checkedWhole(seed, "seed", 0);
  if (numRuns !== undefined) checkedWhole(numRuns, "numRuns", 1);
  if (kernelHelpers !== undefined && !Array.isArray(kernelHelpers)) {
    throw expected("ERR_INPUT", "kernelHelpers", "an array of names", kernelHelpers);
  }
  if (kernelHelpers !== undefined && kernels === undefined) {
    throw new PolybinError("ERR_INPUT", "expected kernels with kernelHelpers but it is missing");
  }
  checkSwitch(required, "required");
}
