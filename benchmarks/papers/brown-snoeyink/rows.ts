import type { Row } from "../../src/runner/row.ts";
import type { PublishedRow } from "../measured.ts";

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

/** Returns the paper's name of a kernel as published; null if the paper does not compare it. */
export function publishedMethodOf({ published: { method } }: PublishedRow): string | null {
  return PUBLISHED[method] ?? null;
}

const PUBLISHED: Readonly<Record<string, string>> = {
  TRISH: "TRISH",
  "Podlozhnyuk 256": "Podlozhnyuk",
  Nugteren: "Nugteren",
};
