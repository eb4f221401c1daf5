import { describe, expect, it } from "vitest";
import { lost, ofInput, ofScope } from "../src/platform/errors.ts";

// WebGPU's errors, distinguished by the names of their classes. This needs no device.
class GPUValidationError extends Error {}
class GPUInternalError extends Error {}
class GPUOutOfMemoryError extends Error {}

describe("an error that a scope caught", () => {
  it.each([GPUValidationError, GPUInternalError])("%o of a command of ours: the device is not lost", (Of) => {
    const cause = new Of("no such buffer");
    expect(ofScope(cause)).toMatchObject({
      code: "ERR_INTERNAL",
      backend: "webgpu",
      message: "the WebGPU device refused a command: no such buffer",
      cause,
    });
  });

  it("reports exhausted memory", () => {
    expect(ofScope(new GPUOutOfMemoryError("4 GiB"))).toMatchObject({ code: "ERR_OUT_OF_MEMORY" });
  });

  it("reports the user's own objects", () => {
    const told = ofInput(ofScope(new GPUValidationError("destroyed")), "expected a buffer");
    expect(told).toMatchObject({ code: "ERR_INPUT", message: "expected a buffer: destroyed" });
  });
});

it("a device that disappeared is lost", () => {
  expect(lost({ reason: "destroyed", message: "" } as GPUDeviceLostInfo)).toMatchObject({
    code: "ERR_DEVICE_LOST",
    message: "the WebGPU device was lost (destroyed); open the engine again",
  });
});
