import type { Some } from "./pairs.ts";

/** Values that failed together before. They occur together in every run. */
export const TRIPLES: readonly Some[] = [];
