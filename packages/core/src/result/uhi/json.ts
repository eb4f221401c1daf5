import { expected, MAX_SAMPLES } from "../../base/index.ts";

/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Checks a JSON object. @throws ERR_INPUT unless the value is an object. */
export function record(value: unknown, name: string): Json {
  if (!isRecord(value)) throw expected("ERR_INPUT", name, "an object", value);
  return value;
}

/** Checks a JSON object, with an empty one as the default. @throws ERR_INPUT */
export function recordIfAny(value: unknown, name: string): Json {
  return value == null ? {} : record(value, name);
}

/** Describes what `isCount` accepts, for messages. */
export const A_COUNT: string = `a whole number from 0 to ${MAX_SAMPLES}`;

/** Returns true for an exact number of samples. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
