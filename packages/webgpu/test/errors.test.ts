import { describe, expect, it } from "vitest";
import { lost, ofInput, ofScope } from "../src/platform/errors.ts";

// What WebGPU says, told apart by the names of its classes: no device is needed for that.
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

  it("for want of memory", () => {
    expect(ofScope(new GPUOutOfMemoryError("4 GiB"))).toMatchObject({ code: "ERR_OUT_OF_MEMORY" });
  });

  it("of what a user handed in", () => {
    const told = ofInput(ofScope(new GPUValidationError("destroyed")), "expected a buffer");
    expect(told).toMatchObject({ code: "ERR_INPUT", message: "expected a buffer: destroyed" });
  });
});

it("a device that went away is lost", () => {
  expect(lost({ reason: "destroyed", message: "" } as GPUDeviceLostInfo)).toMatchObject({
    code: "ERR_DEVICE_LOST",
    message: "the WebGPU device was lost (destroyed); open the engine again",
  });
});
