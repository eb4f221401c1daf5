import type { Row } from "../../src/runner/row.ts";
import type { Point } from "../model.ts";

/** Returns the k of a `trish` row of Figure 4; null for another experiment. */
export function kOf({ algorithm, variant }: Row): number | null {
  const k = /^k=(\d+)$/.exec(variant ?? "")?.[1];
  return algorithm === "trish" && k !== undefined ? Number(k) : null;
}

/** Returns the paper's name of a row's method, or ours; null if neither is shown. */
export function methodOf({ algorithm, variant }: Pick<Row, "algorithm" | "variant">): string | null {
  return METHODS[[algorithm, variant].filter(Boolean).join(" ")] ?? null;
}

/** Names of the methods. The paper uses hardware atomics in Podlozhnyuk's method, and k = 31 in its own. */
const METHODS: Readonly<Record<string, string>> = {
  "trish k=31": "TRISH",
  "trish k=63": "TRISH, k = 63",
  "per-warp atomic": "Podlozhnyuk",
  "per-warp tag": "Podlozhnyuk, tag",
  "per-warp": "Podlozhnyuk",
  "per-thread": "Nugteren",
  "per-lane": "per-lane (ours)",
};

/** The paper's three methods. */
export const THEIRS: readonly string[] = ["TRISH", "Podlozhnyuk", "Nugteren"];

/** Returns the throughput of the shown methods by n. */
export function byLength(rows: readonly Row[], length: (row: Row) => number): Point[] {
  return rows.flatMap((row) => {
    const series = methodOf(row);
    return series === null ? [] : [{ series, x: length(row), y: row.gbps }];
  });
}
