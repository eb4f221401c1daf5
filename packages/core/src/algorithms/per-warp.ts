import { WORD_BYTES } from "../base/index.ts";
import type { Algorithm } from "../plan/index.ts";
import { notAtomic, partialTables, type Reduce, reduceRule } from "./lib/partials.ts";
import { blocksThatFill, cellsThatFit, tooLittleShared } from "./lib/shared.ts";

/** Bits of a software tag: the lane number that is written into a per-warp counter (Podlozhnyuk, Listing 3). */
export const TAG_BITS = 5;

/** Largest count that fits next to a software tag. */
export const TAGGED_MAX: number = 2 ** (32 - TAG_BITS) - 1;

/** Threads of a per-warp block: six warps (Podlozhnyuk). */
export const PER_WARP_THREADS = 192;

const CELL_BYTES = Uint32Array.BYTES_PER_ELEMENT;

type Own = { readonly collisions: "atomic" | "tag"; readonly reduce: Reduce };

/**
 * Counts one histogram per warp. On workers, it is one table per group of workers. If lanes of a warp count the same
 * bin, atomics or tags with the lane's number resolve the collision.
 */
export const algorithm: Algorithm<Own> = {
  slug: "per-warp",
  title: "one histogram per warp, with atomics or software tags for collisions",
  source: "Podlozhnyuk 2009, Implementation of oclHistogram256, Listing 3",
  parameters: {
    collisions: {
      title: "how collisions of lanes in one bin are resolved",
      default: "atomic",
      of: ["atomic", "tag"],
    },
    reduce: reduceRule("tables"),
  },
  preferred: { gpu: 2 },
  maxBins: null,
  launch({ cells, samples, parameters: { collisions, reduce } }, limits) {
    const { kind, warp, units } = limits;
    if (kind === "workers") {
      if (collisions === "tag") return "per-warp needs warps that run in lock-step for the collisions tag";
      const refused = notAtomic("per-warp", reduce);
      if (refused !== null) return refused;
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
      return `per-warp's tags distinguish ${2 ** TAG_BITS} lanes and a warp of this device has ${warp}`;
    }
    const warps = Math.max(1, Math.floor(Math.min(PER_WARP_THREADS, limits.blockThreads) / warp));
    // If six tables do not fit, the rule uses fewer warps per block. If one does not fit, it uses passes.
    const replicas = Math.max(1, Math.min(warps, Math.floor(limits.sharedBytes / (cells * CELL_BYTES))));
    const cellsPerPass = cellsThatFit(cells, CELL_BYTES * replicas, limits);
    if (cellsPerPass === 0) return tooLittleShared("per-warp", CELL_BYTES, limits);
    const threads = replicas * warp;
    const sharedBytes = replicas * cellsPerPass * CELL_BYTES;
    const blocks = blocksThatFill(threads, sharedBytes, samples, limits);
    return {
      threads,
      blocks,
      replicas,
      counterBits: 32,
      cellsPerPass,
      ...partialTables(reduce, { blocks, cellsPerPass }, limits),
      sharedBytes,
      wordsPerThread: collisions === "tag" ? Math.floor(TAGGED_MAX / (WORD_BYTES * warp)) : null,
    };
  },
};
