import { PolybinError } from "@polybin/core";

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const SPECIAL: ReadonlyMap<string, number> = new Map([
  ["nan", Number.NaN],
  ["inf", Infinity],
  ["+inf", Infinity],
  ["-inf", -Infinity],
  ["infinity", Infinity],
  ["+infinity", Infinity],
  ["-infinity", -Infinity],
]);

/** Reads a decimal number. Any other text, including "nan" and "inf", is NaN. */
export function decimalOf(text: string): number {
  return DECIMAL.test(text) ? Number(text) : Number.NaN;
}

/**
 * Reads a decimal number. NaN and infinities are read as such, so that the check for a finite number can name them.
 * @throws ERR_INPUT for any other text, including the empty string.
 */
export function parseNumber(text: string, name: string): number {
  const trimmed = text.trim();
  const special = SPECIAL.get(trimmed.toLowerCase());
  if (special !== undefined) return special;
  if (DECIMAL.test(trimmed)) return Number(trimmed);
  throw new PolybinError("ERR_INPUT", `expected a number for ${name} but received ${JSON.stringify(text)}`);
}

/** Reads numbers separated by commas. */
export function parseNumbers(text: string, name: string): number[] {
  return text.split(",").map((part) => parseNumber(part, name));
}

/** Reads the texts of edges, at least two. @throws ERR_AXIS */
export function edgeTexts(text: string): readonly string[] {
  const edges = text.split(",");
  if (edges.length >= 2) return edges;
  throw new PolybinError(
    "ERR_AXIS",
    `expected at least two ascending numbers for --edges but received ${JSON.stringify(text)}`,
  );
}

/** Reads a whole number from `least` to `most`. @throws ERR_INPUT */
export function parseWhole(text: string, name: string, least: number, most: number): number {
  const value = parseNumber(text, name);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new PolybinError(
    "ERR_INPUT",
    `expected a whole number from ${least} to ${most} for ${name} but received ${text}`,
  );
}
