import { PolybinError, U32_MAX, WORD_BYTES } from "../base/index.ts";
import type { Algorithm } from "../plan/index.ts";
import { PackedCounters } from "./lib/counters.ts";
import { blocksThatFill, cellsThatFit, inPasses, tooLittleShared } from "./lib/shared.ts";

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
  reference(codes, { threads, blocks, replicas, cellsPerPass, parameters, wordsPerThread }, cells) {
    const { collisions } = parameters;
    const warp = threads / replicas;
    const add = collisions === "tag" ? addTagged : addAtomic;
    const mask = collisions === "tag" ? TAGGED_MAX : U32_MAX;
    return inPasses(codes, cells, cellsPerPass, (window, count) => {
      const out = new Float64Array(count);
      const words = Math.ceil(window.length / WORD_BYTES);
      for (let block = 0; block < blocks; block++) {
        for (let index = 0; index < replicas; index++) {
          const table = new PackedCounters(32, count);
          const flush = () => {
            for (let cell = 0; cell < count; cell++) out[cell]! += (table.words[cell]! & mask) >>> 0;
            table.words.fill(0);
          };
          const first = block * threads + index * warp;
          let binned = 0;
          for (let word = first; word < words; word += threads * blocks) {
            if (binned === wordsPerThread) {
              flush();
              binned = 0;
            }
            binned++;
            for (let byte = 0; byte < WORD_BYTES; byte++) {
              // What the warp's lanes hold at this step, undefined where a lane is off.
              const lanes = Array.from(
                { length: warp },
                (_, lane) => window[(word + lane) * WORD_BYTES + byte],
              );
              add(
                table,
                lanes.map((code) => (code !== undefined && code < count ? code : undefined)),
              );
            }
          }
          flush();
        }
      }
      return out;
    });
  },
};

type Lanes = (number | undefined)[];

function addAtomic(table: PackedCounters, lanes: Lanes): void {
  for (const code of lanes) if (code !== undefined) table.increment(code, 0);
}

/**
 * Listing 3 in lock-step: all lanes that are still on read, then all write, then all look whether the
 * write that stayed was theirs. Of lanes that meet in a cell one wins a round; here the last.
 */
export function addTagged({ words }: PackedCounters, lanes: Lanes): void {
  const pending = [...lanes];
  while (pending.some((code) => code !== undefined)) {
    const written = pending.map((code, lane) => {
      if (code === undefined) return 0;
      const count = words[code]! & TAGGED_MAX;
      if (count === TAGGED_MAX) {
        throw new PolybinError("ERR_LIMIT", "a tagged counter would overflow: the plan is wrong");
      }
      return ((lane << (32 - TAG_BITS)) | (count + 1)) >>> 0;
    });
    pending.forEach((code, lane) => {
      if (code !== undefined) words[code] = written[lane]!;
    });
    pending.forEach((code, lane) => {
      if (code !== undefined && words[code] === written[lane]) pending[lane] = undefined;
    });
  }
}
