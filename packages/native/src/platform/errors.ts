import { type ErrorCode, isPolybinError, PolybinError } from "@polybin/core";

/** Creates an error of this backend. */
export function failure(code: ErrorCode, message: string, cause?: unknown): PolybinError {
  return new PolybinError(code, message, { backend: "native", ...(cause !== undefined && { cause }) });
}

/** Converts an error of the addon to one of core's. Other errors stay unchanged. */
export function coded(error: unknown): unknown {
  if (isPolybinError(error) || !(error instanceof Error) || !("code" in error)) return error;
  return failure(error.code as ErrorCode, error.message, error);
}
