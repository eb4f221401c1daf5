import type { PolybinError } from "@polybin/core";
import { failuresOf } from "@polybin/core/backend";

export const { coded, failure } = failuresOf("cuda");

/** Creates the error "expected X for NAME but received VALUE" for an argument. */
export function unexpected(name: string, what: string, received: unknown): PolybinError {
  return failure("ERR_INPUT", `expected ${what} for ${name} but received ${String(received)}`);
}

/** Returns a whole number of at least `least`. @throws ERR_INPUT */
export function checkedWhole(value: unknown, name: string, least: number): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= least) return value;
  throw unexpected(name, `a whole number of at least ${least}`, value);
}
