import type { Composed } from "../lib/kernel.ts";

export const kernel: Composed = { kind: "composed", slug: "weighted-hybrid" };
