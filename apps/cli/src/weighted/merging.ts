import type { Merging } from "./merged.ts";

/** Merges parts of `polybin weighted`, and prints or writes the result. @throws ERR_INPUT for parts that do not fit */
export async function mergeWeighted(paths: readonly string[], merging: Merging): Promise<void> {
  const { merged } = await import("./merged.ts");
  return merged(paths, merging);
}
