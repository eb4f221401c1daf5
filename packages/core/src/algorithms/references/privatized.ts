import { WORD_BYTES } from "../../base/index.ts";
import type { Launch } from "../../plan/index.ts";
import { BlockSums } from "../lib/block-sums.ts";
import { PackedCounters, PairSums } from "../lib/counters.ts";
import { eachCode, gridWords } from "../lib/simulate.ts";
import { PRIVATIZED_BINS, PRIVATIZED_SPILL, PRIVATIZED_THREADS } from "../privatized.ts";

const THREADS = PRIVATIZED_THREADS;

const SHARED_BYTES: number = THREADS * PRIVATIZED_BINS;

type Own = {
  readonly merge: "periodic" | "avoid" | "check-shared" | "check-global";
  readonly layout: "row" | "column" | "interleaved";
};

/** Simulates `privatized`, step by step. */
export function reference(codes: Uint32Array, launch: Launch<Own>, cells: number): Float64Array {
  const out = new BlockSums(cells, launch);
  for (let block = 0; block < launch.blocks; block++) countBlock(codes, launch, cells, block, out);
  return out.counts();
}

/** Returns the place of a thread's counter of a bin, as a word and a byte in it. */
function place(layout: Own["layout"], bin: number, thread: number): readonly [word: number, byte: number] {
  if (layout === "interleaved") return [Math.floor(bin / WORD_BYTES) * THREADS + thread, bin % WORD_BYTES];
  const byte = layout === "row" ? thread * PRIVATIZED_BINS + bin : bin * THREADS + thread;
  return [Math.floor(byte / WORD_BYTES), byte % WORD_BYTES];
}

function countBlock(
  codes: Uint32Array,
  launch: Launch<Own>,
  cells: number,
  block: number,
  out: BlockSums,
): void {
  const { blocks, wordsPerThread } = launch;
  const { merge, layout } = launch.parameters;
  const add = (bin: number, sum: number) => out.add(block, bin, sum);
  let counters = new PackedCounters(8, SHARED_BYTES / WORD_BYTES);
  const spills = merge === "check-shared" || merge === "check-global";
  /** The block's histogram in shared memory. */
  const spilled = new Float64Array(PRIVATIZED_BINS);
  const columns = Array.from({ length: THREADS }, (_, thread) =>
    gridWords(codes.length, THREADS, blocks, block, thread),
  );
  // Threads advance step by step, because a merge clears the counters of all of them.
  for (let step = 1, on = true; on; step++) {
    on = false;
    for (let thread = 0; thread < THREADS; thread++) {
      const next = columns[thread]!.next();
      if (next.done) continue;
      on = true;
      eachCode(codes, next.value, cells, (code) => {
        const at = place(layout, code, thread);
        counters.increment(...at);
        if (!spills || !counters.subtract(...at, PRIVATIZED_SPILL)) return;
        if (merge === "check-shared") spilled[code]! += PRIVATIZED_SPILL;
        else out.addToCount(code, PRIVATIZED_SPILL);
      });
    }
    if (merge === "periodic" && step % wordsPerThread! === 0) {
      mergeBlock(counters, layout, add);
      counters = new PackedCounters(8, counters.words.length);
    }
  }
  mergeBlock(counters, layout, add);
  for (const [bin, sum] of spilled.entries()) add(bin, sum);
}

/** Listing 7: thread t sums bin quad t over all threads' columns, starting at a column of its own. */
function mergeBlock(
  counters: PackedCounters,
  layout: Own["layout"],
  add: (bin: number, sum: number) => void,
): void {
  for (let thread = 0; thread < THREADS; thread++) {
    const pairs = new PairSums();
    for (let i = 0; i < THREADS; i++) {
      const column = (i + thread) % THREADS;
      pairs.add(quad(counters, layout, thread, column));
    }
    for (let slot = 0; slot < WORD_BYTES; slot++) add(thread * WORD_BYTES + slot, pairs.sums[slot]!);
  }
}

/** Returns the counters of four neighbouring bins of one thread as a word, for any layout. */
function quad(counters: PackedCounters, layout: Own["layout"], row: number, thread: number): number {
  let word = 0;
  for (let slot = 0; slot < WORD_BYTES; slot++) {
    word |= counters.get(...place(layout, row * WORD_BYTES + slot, thread)) << (slot * 8);
  }
  return word;
}
