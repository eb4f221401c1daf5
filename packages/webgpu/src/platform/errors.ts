import { PolybinError } from "@polybin/core";

export function lost(info: GPUDeviceLostInfo): PolybinError {
  const why = info.message === "" ? info.reason : info.message;
  return new PolybinError("ERR_DEVICE_LOST", `the WebGPU device was lost (${why}); open the engine again`, {
    backend: "webgpu",
  });
}

/** An error that WebGPU's error scopes caught: no memory, or a command of ours that the device refuses. */
export function ofScope(error: GPUError): PolybinError {
  return error.constructor.name === "GPUOutOfMemoryError"
    ? outOfMemory(error.message, error)
    : new PolybinError("ERR_INTERNAL", `the WebGPU device refused a command: ${error.message}`, {
        backend: "webgpu",
        cause: error,
      });
}

/** The same of what was made with a user's own objects: a validation error is the user's. */
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
  return new PolybinError("ERR_OUT_OF_MEMORY", `the WebGPU device has no memory left: ${message}`, {
    backend: "webgpu",
    cause,
  });
}
