import { checkNames, expected, ownOptions } from "@polybin/core/backend";
import type { Known } from "./known.ts";

export interface WebgpuOptions {
  /**
   * The device to count on, within the limits that it was requested with. It stays yours: `close` does not destroy it.
   * In Node, keep a reference to the object that Dawn's `create` returned for as long as you use the device or anything
   * created from it. Default: the engine requests a device of its own.
   */
  readonly device?: Known<"GPUDevice"> | undefined;
  /** Which adapter to prefer if there are several. Default: "high-performance". */
  readonly powerPreference?: "high-performance" | "low-power" | undefined;
}

/**
 * Options that both entries of the package accept, so that one program runs in Node and in a page. A page ignores
 * `dawn`.
 */
export interface DawnOptions extends WebgpuOptions {
  /** Flags for Dawn, as its `create` takes them: `["enable-dawn-features=allow_unsafe_apis"]`. Default: none. */
  readonly dawn?: readonly string[] | undefined;
}

export const NAMES: readonly string[] = ["device", "powerPreference", "dawn"] satisfies (keyof DawnOptions)[];
const PREFERENCES: readonly unknown[] = ["high-performance", "low-power"] satisfies GPUPowerPreference[];

/** Checks the options and returns them. @throws ERR_INPUT for an unknown option or a wrong value. */
export function checkedOptions(given: DawnOptions): DawnOptions {
  const options = ownOptions(given);
  checkNames(options, NAMES);
  const { device, powerPreference, dawn } = options;
  if (
    device !== undefined &&
    typeof (device as GPUDevice | null)?.createComputePipelineAsync !== "function"
  ) {
    throw expected("ERR_INPUT", "device", "a GPUDevice", device);
  }
  if (powerPreference !== undefined && !PREFERENCES.includes(powerPreference)) {
    throw expected("ERR_INPUT", "powerPreference", PREFERENCES.join(" or "), powerPreference);
  }
  if (dawn !== undefined && !(Array.isArray(dawn) && dawn.every((flag) => typeof flag === "string"))) {
    throw expected("ERR_INPUT", "dawn", "an array of flags", dawn);
  }
  return options;
}
