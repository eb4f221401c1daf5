import { limits, type Launch } from "@polybin/core/backend";
import type { ShaderText } from "../../base/index.ts";
import { SHADERS } from "../generated/shaders.ts";

/** The text of a block's table, and the numbers that it is compiled for. */
export interface TableText {
  readonly text: ShaderText;
  readonly consts: Readonly<Record<string, number>>;
  readonly constants: Readonly<Record<string, number>>;
}

type TableShape = Pick<Launch, "sharedBytes" | "counterBits" | "replicas">;

/** Returns the table of a plan. Global memory holds the counters if the plan has no shared memory. */
export function fusedText({ sharedBytes, counterBits, replicas }: TableShape): TableText {
  if (sharedBytes === 0) return { text: SHADERS["fused/global"], consts: {}, constants: {} };
  // Cells are permuted among as many neighbours as there are banks.
  const whole = (cells: number) => limits.divideCeiling(cells, limits.WARP_THREADS) * limits.WARP_THREADS;
  const words = whole(sharedBytes / limits.WORD_BYTES / replicas);
  return counterBits === 16
    ? {
        text: SHADERS["fused/packed"],
        consts: {},
        constants: { TABLE_WORDS: words, SPILL: limits.FUSED_SPILL },
      }
    : {
        text: SHADERS["fused/replicas"],
        consts: { REPLICAS: replicas },
        constants: { TABLE_CELLS: words },
      };
}
