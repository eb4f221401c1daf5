import { type ErrorCode, isPolybinError, PolybinError } from "@polybin/core";

/** Converts an error of the addon to one of core's. Other errors stay unchanged. */
export function coded(error: unknown): unknown {
  if (isPolybinError(error) || !(error instanceof Error) || !("code" in error)) return error;
  return new PolybinError(error.code as ErrorCode, error.message, { backend: "cuda", cause: error });
}

/** Creates the error "expected X for NAME but received VALUE" for an argument. */
export function unexpected(name: string, what: string, received: unknown): PolybinError {
  return new PolybinError("ERR_INPUT", `expected ${what} for ${name} but received ${String(received)}`, {
    backend: "cuda",
  });
}

/** Returns a whole number of at least `least`. @throws ERR_INPUT */
export function checkedWhole(value: unknown, name: string, least: number): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= least) return value;
  throw unexpected(name, `a whole number of at least ${least}`, value);
}
