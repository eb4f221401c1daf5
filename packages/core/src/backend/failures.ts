import { type ErrorCode, isPolybinError, PolybinError } from "../base/index.ts";

/** The errors of a backend that has an addon. */
export interface Failures {
  /** Creates an error of the backend. */
  failure(code: ErrorCode, message: string, cause?: unknown): PolybinError;
  /** Converts an error of the addon to one of core's. Other errors stay unchanged. */
  coded(error: unknown): unknown;
}

export function failuresOf(backend: string): Failures {
  const failure: Failures["failure"] = (code, message, cause) =>
    new PolybinError(code, message, { backend, ...(cause !== undefined && { cause }) });
  return {
    failure,
    coded(error) {
      if (isPolybinError(error) || !(error instanceof Error) || !("code" in error)) return error;
      return failure(error.code as ErrorCode, error.message, error);
    },
  };
}
