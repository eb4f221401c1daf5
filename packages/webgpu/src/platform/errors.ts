import { PolybinError } from "@polybin/core";
import { failure, wrong } from "../base/index.ts";

export function lost(info: GPUDeviceLostInfo): PolybinError {
  const why = info.message === "" ? info.reason : info.message;
  return failure("ERR_DEVICE_LOST", `the WebGPU device was lost (${why}); open the engine again`);
}

/**
 * Converts an error that WebGPU's error scopes caught: the device has no memory, or it refuses a command of this
 * backend.
 */
export function ofScope(error: GPUError): PolybinError {
  return error.constructor.name === "GPUOutOfMemoryError"
    ? outOfMemory(error.message, error)
    : failure("ERR_INTERNAL", `the WebGPU device refused a command: ${error.message}`, error);
}

/** Does the same for commands over the user's own objects: a validation error is then the user's. */
export function ofInput(error: unknown, sentence: string): unknown {
  if (!(error instanceof PolybinError)) return error;
  const { cause } = error;
  return (cause as object | undefined)?.constructor.name === "GPUValidationError"
    ? wrong(`${sentence}: ${(cause as GPUError).message}`, cause)
    : error;
}

export function outOfMemory(message: string, cause: unknown): PolybinError {
  return failure("ERR_OUT_OF_MEMORY", `the WebGPU device is out of memory: ${message}`, cause);
}
