import type { Composed } from "../kernel.ts";

export const kernel: Composed = { kind: "composed", slug: "weighted-hybrid" };
