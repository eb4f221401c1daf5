import { quoted } from "../../table/index.ts";

/** A value in a line. Integers that a double may not hold are bigints. */
export type JsonValue = string | number | bigint | boolean | null | object;
export type JsonRow = { readonly [name: string]: JsonValue };

/** Digits that a double may not hold. */
const LONG = /\d{16}/;
const INTEGER = /^-?\d{16,400}$/;

/**
 * Parses a line. Integers stay exact.
 * @throws Error if it is no JSON object.
 */
export function parseLine(line: string): JsonRow {
  const value = parseValue(line);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error("expected an object");
  return value as JsonRow;
}

/** Parses a value. Integers stay exact. @throws Error if it is no JSON. */
export const parseValue = (text: string): JsonValue =>
  LONG.test(text) ? JSON.parse(text, exactly) : JSON.parse(text);

/** Says that a line is no JSON object. */
export const noObject = (line: string): string => `expected a JSON object but found ${quoted(line)}`;

/** Keeps the digits of long integers. Node passes the text of a number since version 21. */
function exactly(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
  const source = context?.source;
  return source !== undefined && INTEGER.test(source) ? BigInt(source) : value;
}

/** Yields the lines of a text with something in them, and their indices. */
export function* linesOf(
  text: string,
  newline: string,
): Generator<{ readonly line: string; readonly index: number }> {
  for (let from = 0, index = 0; from < text.length; index++) {
    const end = text.indexOf(newline, from);
    const line = text.slice(from, end < 0 ? text.length : end);
    from = end < 0 ? text.length : end + newline.length;
    if (line.trim() !== "") yield { line, index };
  }
}
