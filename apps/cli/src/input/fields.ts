import { PolybinError } from "@polybin/core";
import { decimalOf } from "../numbers.ts";

/** Characters of a wrong field that a message shows. */
const SHOWN = 60;

/** The error of a field that is not what belongs there; `place` is `file:line`. */
export function unlike(what: string, place: string, field: string): PolybinError {
  const shown = field.length > SHOWN ? `${field.slice(0, SHOWN)}…` : field;
  return new PolybinError("ERR_INPUT", `expected ${what} at ${place} but received ${JSON.stringify(shown)}`);
}

/** A finite number. @throws ERR_INPUT */
export function finite(field: string, what: string, place: string): number {
  const value = decimalOf(field);
  if (Number.isFinite(value)) return value;
  throw unlike(`a finite number for ${what}`, place, field);
}

/** A weight, rounded to a 32-bit float, which it must be finite as. @throws ERR_INPUT */
export function weight(field: string, what: string, place: string): number {
  const value = Math.fround(decimalOf(field));
  if (Number.isFinite(value)) return value;
  throw unlike(`a finite 32-bit float for ${what}`, place, field);
}
