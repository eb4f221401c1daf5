import { expected, MAX_SAMPLES } from "../../base/index.ts";

/** An object of JSON. */
export type Json = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @throws ERR_INPUT unless it is an object. */
export function record(value: unknown, name: string): Json {
  if (!isRecord(value)) throw expected("ERR_INPUT", name, "an object", value);
  return value;
}

/** The same, or an empty object where there is none. */
export function recordIfAny(value: unknown, name: string): Json {
  return value == null ? {} : record(value, name);
}

/** What `isCount` wants, in words. */
export const A_COUNT: string = `a whole number from 0 to ${MAX_SAMPLES}`;

/** Is it an exact number of samples? */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
