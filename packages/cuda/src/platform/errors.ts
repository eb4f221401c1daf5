import { type ErrorCode, isPolybinError, PolybinError } from "@polybin/core";

/** Creates an error of this backend. */
export function failure(code: ErrorCode, message: string, cause?: unknown): PolybinError {
  return new PolybinError(code, message, { backend: "cuda", ...(cause !== undefined && { cause }) });
}

/** Converts an error of the addon to one of core's. Other errors stay unchanged. */
export function coded(error: unknown): unknown {
  if (isPolybinError(error) || !(error instanceof Error) || !("code" in error)) return error;
  return failure(error.code as ErrorCode, error.message, error);
}

/** Creates the error "expected X for NAME but received VALUE" for an argument. */
export function unexpected(name: string, what: string, received: unknown): PolybinError {
  return failure("ERR_INPUT", `expected ${what} for ${name} but received ${String(received)}`);
}

/** Returns a whole number of at least `least`. @throws ERR_INPUT */
export function checkedWhole(value: unknown, name: string, least: number): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= least) return value;
  throw unexpected(name, `a whole number of at least ${least}`, value);
}
