import { PolybinError } from "@polybin/core";

export function lost(info: GPUDeviceLostInfo): PolybinError {
  const why = info.message === "" ? info.reason : info.message;
  return new PolybinError("ERR_DEVICE_LOST", `the WebGPU device was lost (${why}); open the engine again`, {
    backend: "webgpu",
  });
}

/**
 * Converts an error that WebGPU's error scopes caught: the device has no memory, or it refuses a command of this
 * backend.
 */
export function ofScope(error: GPUError): PolybinError {
  return error.constructor.name === "GPUOutOfMemoryError"
    ? outOfMemory(error.message, error)
    : new PolybinError("ERR_INTERNAL", `the WebGPU device refused a command: ${error.message}`, {
        backend: "webgpu",
        cause: error,
      });
}

/** Does the same for commands over the user's own objects: a validation error is then the user's. */
export function ofInput(error: unknown, sentence: string): unknown {
  if (!(error instanceof PolybinError)) return error;
  const { cause } = error;
  return (cause as object | undefined)?.constructor.name === "GPUValidationError"
    ? new PolybinError("ERR_INPUT", `${sentence}: ${(cause as GPUError).message}`, {
        backend: "webgpu",
        cause,
      })
    : error;
}

export function outOfMemory(message: string, cause: unknown): PolybinError {
  return new PolybinError("ERR_OUT_OF_MEMORY", `the WebGPU device is out of memory: ${message}`, {
    backend: "webgpu",
    cause,
  });
}
