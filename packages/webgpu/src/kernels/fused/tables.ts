import { type Launch, limits } from "@polybin/core/backend";
import type { ShaderText } from "../../base/index.ts";
import { SHADERS } from "../generated/shaders.ts";

/** The text of a block's table, and the numbers that it is compiled for. */
export interface TableText {
  readonly text: ShaderText;
  readonly consts: Readonly<Record<string, number>>;
  readonly constants: Readonly<Record<string, number>>;
}

type TableShape = Pick<Launch, "sharedBytes" | "replicas" | "own">;

/**
 * Returns the table of a plan. Global memory holds the counters if the plan has no shared memory.
 * @param skips whether there are samples that a block does not count
 */
export function fusedText({ sharedBytes, replicas, own = {} }: TableShape, skips: boolean): TableText {
  if (sharedBytes === 0) return { text: SHADERS["fused/global"], consts: {}, constants: {} };
  const sharers = limits.WARP_THREADS / replicas;
  return {
    text: SHADERS["fused/replicas"],
    consts: { REPLICAS: replicas },
    constants: {
      TABLE_ROWS: sharedBytes / limits.WORD_BYTES / replicas,
      ...{ SHARERS: sharers, LINE_BITS: Math.log2(sharers), SKIPS: Number(skips) },
      IS_PERMUTED: Number(own.slots === undefined),
    },
  };
}
