import { type Case, describeBackend } from "@polybin/conformance";
import type { Backend } from "@polybin/core";
import { afterAll, describe, expect, it } from "vitest";
import { WebgpuDevice } from "../src/device.ts";
import { deviceLimits } from "../src/platform/capabilities.ts";
import { Hardware } from "../src/platform/hardware.ts";
import { allowed, backend, REQUIRED, userDevice } from "./shared.ts";
import { RANDOM } from "./tiers.ts";

/** The minimum limits of every WebGPU device. A device that is requested without limits has them. */
const DEFAULTS = {
  maxComputeWorkgroupStorageSize: 16_384,
  maxStorageBufferBindingSize: 128 * 2 ** 20,
  maxComputeInvocationsPerWorkgroup: 256,
} as const;

/** The backend on its own devices with exactly these limits, whatever the adapter supports. */
const limited = (): Backend => ({
  ...backend(),
  open: async () => {
    const device = await userDevice();
    return new WebgpuDevice(new Hardware(device, () => device.destroy()), deviceLimits(device));
  },
});

/**
 * Covers what the limits decide: replicas and passes for few and for many bins, sizes around the maximum of a launch,
 * parameters that need memory, and the tables of weighted sums. Everything else is as on a larger device, and would
 * take SwiftShader minutes.
 */
function dependsOnLimits({ topic, name }: Case): boolean {
  if (topic === "axes") return /: (1000|65536) bins/.test(name);
  if (topic === "weighted") return /every type and number of bins|^claim of/.test(name);
  return ["claims", "sizes", "parameters"].includes(topic);
}

describe("at WebGPU's default limits", () => {
  it("the device has no more", async ({ skip }) => {
    const probe = await limited().probe();
    if (!probe.available) return skip(allowed(probe.reason));
    const device = await limited().open();
    const { sharedBytes, blockThreads, chunkSamples } = device.limits;
    expect({ sharedBytes, blockThreads }).toEqual({
      sharedBytes: DEFAULTS.maxComputeWorkgroupStorageSize,
      blockThreads: DEFAULTS.maxComputeInvocationsPerWorkgroup,
    });
    expect(chunkSamples).toBeLessThanOrEqual(DEFAULTS.maxStorageBufferBindingSize);
    await device.close();
  });

  describeBackend(
    limited,
    { describe, it, afterAll },
    { filter: dependsOnLimits, ...RANDOM, required: REQUIRED },
  );
});

it("a device that the install brings must exist", () => {
  expect(() => allowed("no loader", true)).toThrow(/install brings Dawn and SwiftShader.*no loader/);
  expect(allowed("no loader", false)).toBe("no loader");
});
