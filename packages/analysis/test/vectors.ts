import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Counted } from "../src/cells.ts";

/** Reads a file that vectors/make.py wrote. */
export function vectors<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`vectors/${name}.json`, import.meta.url), "utf8")) as T;
}

interface Stored {
  readonly type: string;
  readonly edges?: readonly number[];
  /** Pairs of a bin and its count. */
  readonly counts: readonly number[];
}

const { cases } = vectors<{ readonly cases: { readonly [name: string]: Stored } }>("histograms");

/** A histogram that the vectors name, as core would return it. */
export function stored(name: string): Counted {
  const { type, edges, counts: pairs } = cases[name]!;
  const bins = edges === undefined ? (type === "u8" ? 256 : 65_536) : edges.length - 1;
  const counts = new Float64Array(bins);
  for (let i = 0; i < pairs.length; i += 2) counts[pairs[i]!] = pairs[i + 1]!;
  if (edges !== undefined) return { counts, edges, type, axis: { type: "variable" } };
  return { counts, edges: range(bins + 1), type, axis: { type: "integer" } };
}

export const range = (length: number): number[] => Array.from({ length }, (_, i) => i);

/** A histogram with one bin per value of 8 bits. */
export function bytes(counts: { readonly [value: number]: number }): Counted {
  const all = new Float64Array(256);
  for (const [value, count] of Object.entries(counts)) all[Number(value)] = count;
  return { counts: all, edges: range(257), type: "u8", axis: { type: "integer" } };
}

export function sha256(table: Uint16Array): string {
  return createHash("sha256").update(new Uint8Array(table.buffer)).digest("hex");
}

/** The code of the error that a call throws. */
export function codeOf(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    return String((error as { code?: unknown }).code);
  }
  return "no error";
}
