import { expected } from "@polybin/core/backend";
import { MAX_TEXT } from "./limits.ts";

/** Returns a list with at least `least` entries. @throws ERR_INPUT, ERR_LIMIT above `most` entries */
export function checkedList(value: unknown, name: string, most: number, least = 1): readonly unknown[] {
  if (!Array.isArray(value) || value.length < least) {
    throw expected("ERR_INPUT", name, least === 0 ? "a list" : `a list of at least ${least}`, value);
  }
  if (value.length <= most) return value;
  throw expected("ERR_LIMIT", name, `at most ${most}`, value.length);
}

/** @throws ERR_INPUT unless the value is a text of at least `least` characters and not too long. */
export function checkedText(value: unknown, name: string, least = 1): string {
  if (typeof value === "string" && value.length >= least && value.length <= MAX_TEXT) return value;
  throw expected("ERR_INPUT", name, `a text of ${least} to ${MAX_TEXT} characters`, value);
}

/** @throws ERR_INPUT unless the value is one of the choices. */
export function checkedChoice<T extends string>(value: unknown, choices: readonly T[], name: string): T {
  if (choices.includes(value as T)) return value as T;
  throw expected("ERR_INPUT", name, `one of ${choices.join(", ")}`, value);
}

/** @throws ERR_INPUT unless the value is a whole number in a range. */
export function checkedNumber(value: unknown, name: string, least: number, most: number): number {
  if (Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most)
    return value as number;
  throw expected("ERR_INPUT", name, `a whole number from ${least} to ${most}`, value);
}
