import { PolybinError } from "@polybin/core";
import { decimalOf } from "../../base/index.ts";

/** The most characters of a wrong field that a message shows. */
const SHOWN = 60;

/** The error for a wrong field. @param place `file:line` */
export function unlike(what: string, place: string, field: string): PolybinError {
  const shown = field.length > SHOWN ? `${field.slice(0, SHOWN)}…` : field;
  return new PolybinError("ERR_INPUT", `expected ${what} at ${place} but received ${JSON.stringify(shown)}`);
}

/** Reads a finite number. @throws ERR_INPUT */
export function finite(field: string, what: string, place: string): number {
  const value = decimalOf(field);
  if (Number.isFinite(value)) return value;
  throw unlike(`a finite number for ${what}`, place, field);
}

/** Reads a weight and rounds it to a finite 32-bit float. @throws ERR_INPUT */
export function weight(field: string, what: string, place: string): number {
  const value = Math.fround(decimalOf(field));
  if (Number.isFinite(value)) return value;
  throw unlike(`a finite 32-bit float for ${what}`, place, field);
}
