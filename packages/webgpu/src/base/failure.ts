import { type ErrorCode, PolybinError } from "@polybin/core";

/** Returns an error of this backend. */
export function failure(code: ErrorCode, message: string, cause?: unknown): PolybinError {
  return new PolybinError(code, message, { backend: "webgpu", cause });
}

/** Returns an error about something that a user passed. */
export function wrong(message: string, cause?: unknown): PolybinError {
  return failure("ERR_INPUT", message, cause);
}
