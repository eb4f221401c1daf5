import { WORD_BYTES } from "../base/index.ts";
import type { Algorithm } from "../plan/index.ts";
import { blocksThatFill, cellsThatFit, tooLittleShared } from "./lib/shared.ts";

/** Bits of a software tag, the lane number signed into a per-warp counter (Podlozhnyuk, Listing 3). */
export const TAG_BITS = 5;

/** Largest count beside a software tag. */
export const TAGGED_MAX: number = 2 ** (32 - TAG_BITS) - 1;

/** Threads of a per-warp block: six warps (Podlozhnyuk). */
export const PER_WARP_THREADS = 192;

const CELL_BYTES = Uint32Array.BYTES_PER_ELEMENT;

type Own = { readonly collisions: "atomic" | "tag" };

/**
 * One histogram a warp (on workers: a table that a group of workers shares). Lanes of a warp that meet in
 * a bin are kept apart by atomics or by signing counters with the lane's number.
 */
export const algorithm: Algorithm<Own> = {
  slug: "per-warp",
  title: "one histogram a warp; collisions by atomics or by software tags",
  source: "Podlozhnyuk 2009, Implementation of oclHistogram256, Listing 3",
  parameters: {
    collisions: {
      title: "how equal bins of one warp are kept apart",
      default: "atomic",
      of: ["atomic", "tag"],
    },
  },
  preferred: { gpu: 2 },
  maxBins: null,
  launch({ cells, samples, parameters: { collisions } }, limits) {
    const { kind, warp, units } = limits;
    if (kind === "workers") {
      if (collisions === "tag")
        return "per-warp keeps lanes apart by tags only where a warp runs in lock-step";
      return {
        threads: warp,
        blocks: Math.ceil(units / warp),
        replicas: 1,
        counterBits: 32,
        cellsPerPass: cells,
        sharedBytes: cells * CELL_BYTES,
        wordsPerThread: null,
      };
    }
    if (collisions === "tag" && warp > 2 ** TAG_BITS) {
      return `per-warp's tags tell ${2 ** TAG_BITS} lanes apart and a warp of this device has ${warp}`;
    }
    const warps = Math.max(1, Math.floor(Math.min(PER_WARP_THREADS, limits.blockThreads) / warp));
    // Past what six tables need, fewer warps a block; past what one needs, passes.
    const replicas = Math.max(1, Math.min(warps, Math.floor(limits.sharedBytes / (cells * CELL_BYTES))));
    const cellsPerPass = cellsThatFit(cells, CELL_BYTES * replicas, limits);
    if (cellsPerPass === 0) return tooLittleShared("per-warp", CELL_BYTES, limits);
    const threads = replicas * warp;
    const sharedBytes = replicas * cellsPerPass * CELL_BYTES;
    return {
      threads,
      blocks: blocksThatFill(threads, sharedBytes, samples, limits),
      replicas,
      counterBits: 32,
      cellsPerPass,
      sharedBytes,
      wordsPerThread: collisions === "tag" ? Math.floor(TAGGED_MAX / (WORD_BYTES * warp)) : null,
    };
  },
};
