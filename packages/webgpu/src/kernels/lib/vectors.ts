import { SHADERS } from "../generated/shaders.ts";

/**
 * The texts that count the samples of a vector, by a sample's bytes. They find rows, and the kernel's countRow counts
 * them.
 */
export const VECTORS: Readonly<Record<number, string>> = {
  1: SHADERS["lib/vector-8"],
  2: SHADERS["lib/vector-16"],
  4: SHADERS["lib/vector-32"],
  8: SHADERS["lib/vector-64"],
};
