import type { ChannelsPlan } from "@polybin/core";
import { limits } from "@polybin/core/backend";

/** Overrides that many kernels have: threads of a block, and words of its table. */
export function tableOverrides({ threads, sharedBytes }: ChannelsPlan): Readonly<Record<string, number>> {
  return { THREADS: threads, TABLE_WORDS: limits.divideCeiling(sharedBytes, limits.WORD_BYTES) };
}
