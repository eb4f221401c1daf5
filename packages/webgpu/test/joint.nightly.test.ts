import { type Case, describeBackend } from "@polybin/conformance";
import type { Backend } from "@polybin/core";
import { afterAll, describe, it } from "vitest";
import { WebgpuDevice } from "../src/device.ts";
import { deviceLimits } from "../src/platform/capabilities.ts";
import { Hardware } from "../src/platform/hardware.ts";
import { backend, REQUIRED, userDevice } from "./shared.ts";
import { RANDOM } from "./tiers.ts";

/** The backend as it is on a GPU: one kernel finds and counts the cells of up to three columns, in whole vectors. */
const compiled = (): Backend => ({
  ...backend(),
  open: async () => {
    const device = await userDevice();
    const limits = { ...deviceLimits(device), generic: false };
    return new WebgpuDevice(new Hardware(device, () => device.destroy()), limits);
  },
});

/** Cases with few different plans, because SwiftShader takes a second to compile each. */
function hasFewPlans({ topic, name }: Case): boolean {
  return topic === "large requests" && /mask|list|groups|columns/.test(name);
}

describe("fused over columns", () => {
  describeBackend(
    compiled,
    { describe, it, afterAll },
    { filter: hasFewPlans, ...RANDOM, required: REQUIRED },
  );
});
