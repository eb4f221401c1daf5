import { checkNames, expected } from "@polybin/core/backend";
import type { Known } from "./known.ts";

export interface WebgpuOptions {
  /**
   * Count on this device, within the limits that it was requested with. It stays yours: `close` leaves it alone. In
   * Node, hold what Dawn's `create` returned as long as the device and all that came from it.
   */
  readonly device?: Known<"GPUDevice"> | undefined;
  /** Which adapter, where there are several. Default: high-performance. */
  readonly powerPreference?: "high-performance" | "low-power" | undefined;
}

/** What both entries take, so that one program fits both: a page has no Dawn to give flags to. */
export interface DawnOptions extends WebgpuOptions {
  /** Flags of Dawn, as its `create` takes them: `["enable-dawn-features=allow_unsafe_apis"]`. */
  readonly dawn?: readonly string[] | undefined;
}

export const NAMES: readonly string[] = ["device", "powerPreference", "dawn"] satisfies (keyof DawnOptions)[];
const PREFERENCES: readonly unknown[] = ["high-performance", "low-power"] satisfies GPUPowerPreference[];

/** @throws ERR_INPUT for another option, or another value of one. */
export function checkedOptions(options: DawnOptions): DawnOptions {
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
