import { PolybinError, U32_MAX, WORD_BYTES } from "../../base/index.ts";
import type { Launch } from "../../plan/index.ts";
import { BlockSums } from "../lib/block-sums.ts";
import { PackedCounters } from "../lib/counters.ts";
import { inPasses } from "../lib/simulate.ts";
import { TAG_BITS, TAGGED_MAX } from "../per-warp.ts";

type Lanes = (number | undefined)[];

/** Simulates `per-warp`, step by step. */
export function reference(
  codes: Uint32Array,
  {
    threads,
    blocks,
    replicas,
    cellsPerPass,
    parameters,
    wordsPerThread,
    partials,
  }: Launch<{ readonly collisions: "atomic" | "tag" }>,
  cells: number,
): Float64Array {
  const { collisions } = parameters;
  const warp = threads / replicas;
  const add = collisions === "tag" ? addTagged : addAtomic;
  const mask = collisions === "tag" ? TAGGED_MAX : U32_MAX;
  return inPasses(codes, cells, cellsPerPass, (window, count) => {
    const out = new BlockSums(count, { ...(partials && { partials }) });
    const words = Math.ceil(window.length / WORD_BYTES);
    for (let block = 0; block < blocks; block++) {
      for (let index = 0; index < replicas; index++) {
        const table = new PackedCounters(32, count);
        const flush = () => {
          for (let cell = 0; cell < count; cell++) out.add(block, cell, (table.words[cell]! & mask) >>> 0);
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
            // The codes of the warp's lanes at this step, undefined for inactive lanes.
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
    return out.counts();
  });
}

function addAtomic(table: PackedCounters, lanes: Lanes): void {
  for (const code of lanes) if (code !== undefined) table.increment(code, 0);
}

/**
 * Runs Listing 3 in lock-step: all pending lanes read, then all write, then all check whether their own write
 * remained. One of the lanes that collide in a cell wins each round; in this simulation it is the last.
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
