import { SHADERS } from "../generated/shaders.ts";

/** How the samples of a vector are counted, by the bytes of one: each finds its row, and the kernel's countRow counts it. */
export const VECTORS: Readonly<Record<number, string>> = {
  1: SHADERS["lib/vector-8"],
  2: SHADERS["lib/vector-16"],
  4: SHADERS["lib/vector-32"],
  8: SHADERS["lib/vector-64"],
};
