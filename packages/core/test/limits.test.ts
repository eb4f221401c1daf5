import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { limits } from "../src/backend/limits.ts";
import {
  INTEGERS_AT_ONCE,
  JOINT_STEP,
  LANE_ROWS,
  LANE_SAMPLES,
  LANES,
  LANES_LEAST,
  SYNC_BYTES,
  TABLE_SAMPLES,
} from "../src/cpu/limits.ts";
import {
  CALLS_AT_ONCE,
  KEPT_AXES,
  KEPT_ENGINE_JOBS,
  KEPT_JOBS,
  KEPT_RECIPES,
  WEIGHTED_CELLS,
} from "../src/engine/limits.ts";
import { FORKS_AT_ONCE } from "../src/multithreaded/limits.ts";
import { exportsOf, mutantsOf, OWNERS } from "./mutants.ts";
import type { Pinned } from "./pinned.ts";

const SRC = new URL("../src/", import.meta.url);

/** The files that own constants: an algorithm's, a room's limits.ts. */
const FILES = globSync([...OWNERS], { cwd: SRC })
  .filter((file) => file !== "backend/limits.ts")
  .map((file) => ({ file, source: readFileSync(new URL(file, SRC), "utf8") }))
  .filter(({ source }) => /^export const [A-Z]/m.test(source));
const MUTANTS = FILES.flatMap(({ file, source }) => mutantsOf(source).map((mutant) => ({ file, ...mutant })));

/** Every constant, with where it comes from. Behaviour at each stands in limits-behaviour.test.ts. */
const PINNED: Pinned = {
  U8_MAX: [2 ** 8 - 1, "what 8 bits hold"],
  U16_MAX: [2 ** 16 - 1, "what 16 bits hold"],
  U32_MAX: [2 ** 32 - 1, "what 32 bits hold"],
  TAG_BITS: [Math.log2(32), "Podlozhnyuk: the 5 lower bits of the local ID tell 32 lanes apart"],
  TAGGED_MAX: [0x07ff_ffff, "Podlozhnyuk, Listing 3: l_WarpHist[data] & 0x07FFFFFFU"],
  WORD_BYTES: [32 / 8, "four bytes a 32-bit word"],
  CIRCULAR_BINS: [2 ** 15 - 1, "twice the bins, and two parts of the bin at zero, are 65,536 intervals"],
  EXPONENT_MIN: [1e-3, "below it, powers of doubles are too close to 1"],
  EXPONENT_MAX: [1e3, "the inverse of the minimum"],
  VECTOR_BYTES: [128 / 8, "the widest load: four words"],
  BYTE_VALUES: [2 ** 8, "values of a byte"],
  HALF_VALUES: [2 ** 16, "values of two bytes"],
  WARP_THREADS: [2 ** 5, "threads of a warp, banks of shared memory"],
  SCHEDULERS: [4, "processing blocks of an NVIDIA multiprocessor since Maxwell"],
  TRISH_THREADS: [64, "Brown & Snoeyink, 5.1: we use 64 threads per thread block"],
  TRISH_BINS: [256, "5.1: 256 bins but only 64 threads, so each must accumulate 4 bins"],
  TRISH_WORDS: [63, "5.2: at most 63 words (252 bytes) before having to accumulate"],
  TRISH_K: [31, "5.4: we recommend k = 31 as the better overall choice"],
  TRISH_BATCH: [4, "5.2: batching the k binning operations into groups of four"],
  PER_WARP_THREADS: [6 * 32, "Podlozhnyuk: 192 work-items, six warps of 32"],
  PER_THREAD_64_THREADS: [3 * 64, "Podlozhnyuk: 192 work-items; a multiple of 64 frees the banks"],
  PER_THREAD_64_BINS: [64, "Podlozhnyuk: 16 KB over 192 work-items are about 85 bytes, so 64 bins"],
  PER_THREAD_THREADS: [32, "Brown & Snoeyink, 4.2: Nugteren uses 32 threads per thread block"],
  PRIVATIZED_THREADS: [64, "CUDA Handbook, Figure 6: the array of words is square, 64 * 64"],
  PRIVATIZED_BINS: [256, "CUDA Handbook: 256 * 64 = 16,384 bytes per block"],
  PRIVATIZED_SPILL: [2 ** 7, "the top bit of a byte, which one mask finds in four counters"],
  BLOCK_THREADS: [256, "one thread a bin of a byte histogram when a block's table is added"],
  MERGE_THREADS: [1024, "the most threads a block may have: 128 tables at a time"],
  MERGE_CELLS: [32 / 4, "words of a sector of memory"],
  PER_LANE_THREADS: [1024, "the most threads a block may have: 32 warps"],
  PER_LANE_IN_FLIGHT: [4, "64 bytes a thread, as fast reading kernels do"],
  PER_LANE_DEEP_FROM: [8, "two rounds of four"],
  PER_LANE_FEW_VECTORS: [2 ** 15, "512 KiB"],
  PER_LANE_FEW_THREADS: [256, "eight warps"],
  PER_LANE_FEW_BLOCKS: [64, "beyond it their sums take longer than a second vector"],
  PER_LANE_FEW_REPLICAS: [8, "an eighth of 64 KiB to clear and to add up"],
  PER_LANE_LEAST_TOGETHER: [8, "four lanes a bank at worst cost less than to read all channels again"],
  PER_LANE_ONE_BLOCK_VECTORS: [2 ** 14, "32 MiB on 132 multiprocessors"],
  TILE_WORDS: [32 * 32, "Hardavellas: 32 columns of 32 words"],
  WORKER_LANES: [16, "16-bit counters of 256 cells: 8 KiB"],
  WORKER_NARROW_LANES: [8, "32-bit counters of 1,024 cells: 32 KiB, a first-level cache"],
  WORKER_NARROW_CELLS: [2 ** 10, "the same"],
  WORKER_WIDE_LANES: [4, "tables for more cells"],
  WORKER_PAIR_LANES: [2, "tables over pairs of bytes, 256 KiB each"],
  WORKER_PAIRS_FROM: [2 ** 20, "samples a worker from which pairs pay"],
  SEGMENT_THREADS: [512, "16 warps: four such blocks a multiprocessor"],
  SEGMENT_THREAD_SAMPLES: [16, "a load of bytes"],
  SEGMENT_SHORT_SAMPLES: [2 ** 9, "a load of bytes a lane"],
  SEGMENT_WARP_SAMPLES: [
    2 ** 14,
    "70% of an H200's ceiling against 65% of a block; at 64 KiB it is 68% against 96%",
  ],
  SEGMENT_WARPS: [7, "tables of 8 KiB: four such blocks, 28 warps, in 228 KiB less a KiB each"],
  SEGMENT_TABLE_WARPS: [4, "WebGPU on an H200: 1,552 GB/s; 1,384 with two, 883 with one, 1,552 with eight"],
  SEGMENT_AHEAD_WORDS: [4 * 4, "four loads of 16 bytes"],
  SEGMENT_FOLD_WORDS: [15 * 4, "15 x 16 + 1 <= 255"],
  SEGMENT_TABLE_SAMPLES: [2, "clearing and adding up then cost as much as counting, at most"],
  SEGMENT_BLOCK_SAMPLES: [2 ** 16, "64 KiB of bytes: eight loads of 16 bytes a thread"],
  SEGMENT_WAVES: [4, "the last one then leaves a quarter empty at worst"],
  SEGMENT_TURNS: [4, "an H200: 74% of the ceiling; 73% with 16, 69% with one"],
  SEGMENT_LANES: [8, "16-bit counters of 256 cells: 4 KiB"],
  GPU_PIECE_BYTES: [32 * 2 ** 20, "32 MiB: half a millisecond of the bus"],
  GPU_CODES: [64 * 2 ** 20, "256 MiB of 32-bit codes"],
  GPU_PADDING_BYTES: [2 * 16, "two loads"],
  S32_MAX: [2 ** 31 - 1, "what 31 bits and a sign hold"],
  WEIGHT_ADDENDS: [2 ** 11, "of 31 bits these leave a weight 20"],
  LIMB_BITS: [31 - 11, "of 31 bits WEIGHT_ADDENDS leave so many"],
  WEIGHT_COLUMNS: [2 ** 4, "128 bytes of weights a sample"],
  WEIGHED_SAMPLES: [2 ** 18, "2 MiB of doubles, a second-level cache"],
  WEIGHT_LOSS: [1 / 1024, "a thousandth"],
  SUM_SLACK: [2 ** -20, "2^32 roundings of 2^-53, and as much again"],
  F32_HALF_STEP: [2 ** -24, "half of the last of 24 bits"],
  F32_HALF_LEAST: [2 ** -150, "half of 2^-149"],
  F64_LOWEST_BIT: [-(1022 + 52), "IEEE 754: the last bit of a denormal double"],
  F64_NORMAL_MIN: [2.2250738585072014e-308, "DBL_MIN"],
  WEIGHT_FLUSH_BINS: [2 ** 9, "a quarter of the documents between two flushes"],
  FAST_ADDENDS: [2 ** 14, "of 24 bits these leave a sum 10 at worst"],
  FAST_TOLERANCE: [1 / 512, "2^14 roundings of 2^-24, and as much again for what is rounded beside"],
  ROUNDING: [1.5 * 2 ** 52, "doubles of this size are whole"],
  NIBBLE_VALUES: [2 ** 4, "Xu et al., Table 3: 2 to 16 bins take half a byte"],
  BYTE_NIBBLES: [8 / 4, "the same"],
  FEATURE_BINS_MIN: [2, "Xu et al., 2.1: from 2 to 1024"],
  MAX_DOCUMENTS: [2 ** 32 - 1, "what 32 bits hold"],
  WORKER_WEIGHTED_DOCUMENTS: [2 ** 16, "256 KiB of weights, which a second-level cache keeps"],
  WORKER_CELL_BYTES: [8, "a word of WebAssembly's"],
  WORKER_FEATURES: [16, "64 bytes of values a weight's line"],
  WORKER_TOTALS_BYTES: [2 ** 20, "a share of a second-level cache"],
  WEIGHTED_IN_FLIGHT: [2, "16 documents a thread"],
  WEIGHTED_THREADS: [512, "measured: of 65,536 registers each thread has 128"],
  WEIGHTED_SHARED_BYTES: [
    2 ** 16,
    "what every CUDA device lets a block have, and no Vulkan device that was seen",
  ],
  WEIGHTED_UNIT: [8, "eight bytes a load"],
  WEIGHTED_ROWS: [4, "512 threads: 2,048 bins, more than tables of two words a bank leave room for"],
  COUNT_BITS: [14, "2^14 documents whose lower 18 bits together are below 2^32"],
  COUNT_SHIFT: [18, "the rest of a word"],
  GPU_SUMS_VALUES: [2 ** 31, "a millisecond at 2 T values a second"],
  GPU_SUMS_BLOCKS: [512, "four a multiprocessor of an H200, nearly"],
  SEGMENT_ALIGN: [2 * 16, "half bytes of a 16-byte load"],
  SEGMENT_ROUNDS: [4, "the last round then leaves a quarter empty at worst"],
  SEGMENT_FILL: [0.9, "more segments only add more sums up"],
  FEATURES_PER_BLOCK: [6, "measured: 192 KiB of 256 bins, a word a bank and bin"],
  COLLISION_FREE_WARPS: [256 / 32, "256 threads"],
  SMALL_BINS: [2 ** 7, "Xu et al., Table 7: method 1 up to 128 bins"],
  UNROLL: [16, "Xu et al., Table 5: 16 from 16 bins on"],
  UNROLL_BINS: [16, "the same"],
  UNROLL_MAX: [32, "Xu et al., Figure 4: over-unrolling at 32"],
  TABLE_6_BINS_1: [128, "Xu et al., Table 6"],
  TABLE_6_BINS_2: [256, "Xu et al., Table 6"],
  TABLE_6_BINS_3: [512, "Xu et al., Table 6"],
  COLLISION_WARPS: [2, "Xu et al., Table 6: 2 for 128 to 512 bins"],
  COLLISION_WARPS_WIDE: [4, "Xu et al., Table 6: 4 for 1024 bins"],
  REDUCED_WARPS_1: [2, "Xu et al., Table 6: 2 for 128 and 256 bins"],
  REDUCED_WARPS_3: [3, "Xu et al., Table 6: 3 for 512 bins"],
  REDUCED_WARPS_WIDE: [6, "Xu et al., 6.2.2: best with N_warp = 6"],
  REDUCED_BUFFER_1: [10, "Xu et al., Table 6: 10 for 128 bins"],
  REDUCED_BUFFER_2: [8, "Xu et al., Table 6: 8 for 256 bins"],
  REDUCED_BUFFER_3: [5, "Xu et al., Table 6: 5 for 512 bins"],
  REDUCED_BUFFER_WIDE: [10, "Xu et al., 6.2.2: best with N_buffer = 10"],
  BUFFER_MAX: [2 ** 6, "six times the paper's largest"],
  BUFFER_VALUE_SHIFT: [8 * 2, "Xu et al., 4.4.1: two 2-byte fields"],
  SUB_HISTOGRAMS: [2 ** 16 - 1, "CUDA: the rows of a grid"],
  SUB_HISTOGRAM_BYTES: [256 * 2 ** 20, "256 MiB: 40 million documents of 1,024 bins"],
  MAX_BINS: [2 ** 16, "a bin for each value of 16 bits"],
  MAX_CHANNELS: [4, "red, green, blue, alpha"],
  CALLS_AT_ONCE: [2 ** 4, "some are prepared while one is counted, and the rest holds nothing"],
  FORKS_AT_ONCE: [4, "a pool's calls at once"],
  MAX_FEATURES: [2 ** 20, "some hundred bytes to two kilobytes of the heap each, which is 4 GiB"],
  MAX_SUMS_BINS: [2 ** 27, "8 bytes of counts and 8 of sums each: 2 GiB"],
  MAX_THREADS: [2 ** 8, "worker threads, each with tables and a stack of its own"],
  MAX_SAMPLES: [2 ** 53 - 1, "exact integers of a double"],
  REFERENCE_CHUNK: [2 ** 16, "a launch of the simulated machine"],
  STEP_BYTES: [2 ** 20, "1 MiB: a few milliseconds, or some tens where every sample is searched for"],
  STREAM_CHUNK: [8 * 2 ** 20, "8 MiB"],
  GUESS_CELLS: [2 ** 11, "an 8 KiB table of first guesses"],
  KEPT_RECIPES: [16, "options of calls that a program makes by turns"],
  WEIGHTED_CELLS: [2 ** 20, "16 bytes a cell and a table: 16 MiB a thread"],
  LANES_LEAST: [2 ** 12, "clearing and summing three tables more is a sixth of what so many bytes take"],
  MAX_JOINT_COLUMNS: [6, "axes of a joint histogram, the groups' axis included"],
  MAX_TABLE_CELLS: [2 ** 24, "128 MiB of doubles, and 256 values of three bytes"],
  MAX_CELLS: [2 ** 26, "256 MiB of counters in a GPU's memory"],
  JOINT_RAW_CELLS: [2 ** 16, "two columns of bytes by all of their values"],
  JOINT_STEP: [2 ** 14, "cells and codes of a step: 128 KiB, in a second-level cache"],
  FUSED_THREADS: [2 ** 10, "the threads of the largest block"],
  FUSED_UNIT: [32 * 16, "16 bytes of a column for each lane of a warp"],
  FUSED_SPILL: [2 ** 15, "half of what a 16-bit counter holds"],
  FUSED_HIGH: [2 ** 15 + 2 ** 13, "33 units more are below 2^16"],
  FUSED_WAIT_NS: [32, "about the time of an atomic on shared memory"],
  FUSED_PACKED_BYTES: [
    80 + 32 * 4,
    "what a block of packed counters shares beside them, and a word for each lane",
  ],
  FUSED_TABLE_BYTES: [150 * 2 ** 10, "leaves an H200's multiprocessor 100 KiB of cache"],
  FUSED_LOOKUPS: [8, "four lanes share a copy"],
  FUSED_HOT: [4, "cells in a lane's registers"],
  FUSED_HOT_LANES: [6, "measured on an H200 over twelve distributions"],
  FUSED_PASSES: [2 ** 5, "measured on an H200: about as fast as atomics on global memory"],
  FUSED_GAPS: [2 ** -3, "less than a pass more for eight"],
  FUSED_RESERVED_BYTES: [2 ** 4, "one counter, on a vector's boundary"],
  FUSED_WORKER_TABLES: [2, "tables that neighbouring samples take turns with"],
  FUSED_WORKER_CELLS: [2 ** 13, "64 KiB for two tables"],
  FUSED_WORKER_OWN: [2 ** 24, "two bytes as 65,536 cells on 256 workers"],
  DOUBLES_AT_ONCE: [2 ** 11, "16 KiB, half of a first-level cache, and more than a call costs"],
  LANES: [4, "a store reaches the next load of its address after about as many samples"],
  LANE_ROWS: [2 ** 10, "with four 32-bit counters each 16 KiB, half of a first-level cache"],
  LANE_SAMPLES: [4, "to add up the four counters of a row costs about as much as to count four samples"],
  TABLE_SAMPLES: [2 ** 24, "far below 2^31, and to add up 65,536 counters costs nothing beside it"],
  INTEGERS_AT_ONCE: [2 ** 12, "16 KiB, half of a first-level cache"],
  SYNC_BYTES: [2 ** 16, "a plain loop takes 60 microseconds, the slowest simulation some ten milliseconds"],
  KEPT_JOBS: [16, "sizes of samples that calls with equal options take turns with"],
  KEPT_ENGINE_JOBS: [2 ** 7, "shapes of samples, algorithms and parameters, over eight axes and more"],
  KEPT_AXES: [2 ** 5, "columns of a table that are counted by turns"],
  KEPT_LOWERINGS: [8, "axes that a user goes to and fro between"],
  FINDER_CELLS: [2 ** 12, "16 KiB of starts, half of a first-level cache"],
  GUESS_ROWS: [2 ** 10, "8 KiB of thresholds, a quarter of a first-level cache"],
  RANK_CELLS_MIN: [2 ** 9, "twice 256 edges"],
  RANK_CELLS_MAX: [2 ** 12, "8 KiB of 16-bit ranks"],
  RANK_SLACK: [0.125, "an eighth of a cell; a rounding device has three more"],
  RANK_INVERSE_MIN: [2 ** -126, "the least normal 32-bit float"],
  RANK_INVERSE_MAX: [2 ** 100, "a width whose parts are normal 32-bit floats"],
  FLOW_ROWS: [3, "underflow, overflow, NaN"],
  RANK_PADDING: [4 + 2 + 1, "three halvings past the last threshold"],
};

/** Which of the given constants, or of the arithmetic on them, are not as pinned. */
function violations(of: Readonly<Record<string, unknown>>): string[] {
  const wrong = Object.keys(of).filter((name) => name in PINNED && of[name] !== PINNED[name]![0]);
  const { counterMax, trishLoops, rowSumEfficiency, divideCeiling } = of as Partial<typeof limits>;
  for (const [bits, max] of [
    [8, 255],
    [16, 65_535],
    [32, 4_294_967_295],
  ] as const) {
    if (counterMax && counterMax(bits) !== max) wrong.push(`counterMax(${bits})`);
  }
  if (trishLoops && (trishLoops(31) !== 2 || trishLoops(63) !== 1 || trishLoops(1) !== 63))
    wrong.push("trishLoops");
  if (rowSumEfficiency && rowSumEfficiency(31) !== 62 / 63) wrong.push("rowSumEfficiency");
  if (divideCeiling && (divideCeiling(8, 4) !== 2 || divideCeiling(9, 4) !== 3)) wrong.push("divideCeiling");
  return wrong;
}

describe("the constants", () => {
  const all = {
    ...limits,
    CALLS_AT_ONCE,
    FORKS_AT_ONCE,
    INTEGERS_AT_ONCE,
    JOINT_STEP,
    KEPT_AXES,
    KEPT_ENGINE_JOBS,
    KEPT_JOBS,
    KEPT_RECIPES,
    WEIGHTED_CELLS,
    LANE_ROWS,
    LANE_SAMPLES,
    LANES,
    LANES_LEAST,
    SYNC_BYTES,
    TABLE_SAMPLES,
  };
  const numbers = Object.entries(all).filter(([, value]) => typeof value === "number");

  it.each(Object.entries(PINNED))("%s is %j", (name, [value]) => {
    expect(Object.fromEntries(numbers)[name]).toBe(value);
  });

  it("are all pinned here", () => {
    expect(numbers.map(([name]) => name).sort()).toEqual(Object.keys(PINNED).sort());
    expect(violations(all)).toEqual([]);
  });

  it("are defined once, in the file of their owner", () => {
    const names = FILES.flatMap(({ source }) =>
      [...source.matchAll(/^export const ([A-Z]\w*)/gm)].map(([, name]) => name),
    );
    expect(names.filter((name) => name! in PINNED).sort()).toEqual(Object.keys(PINNED).sort());
  });

  it("are changed by the mutation", () => {
    expect(MUTANTS.length).toBeGreaterThan(250);
    expect(new Set(MUTANTS.map(({ file, source }) => file + source)).size).toBe(MUTANTS.length);
  });

  it.each(MUTANTS)("cannot change: $file, $name", async ({ file, source }) => {
    expect(violations(await exportsOf(source, new URL(file, SRC)))).not.toEqual([]);
  });
});

describe("the papers' arithmetic", () => {
  const { TRISH_WORDS, TRISH_THREADS, WORD_BYTES, U8_MAX, U16_MAX } = limits;

  it("a byte counter holds at most 63 words of four bytes", () => {
    expect(TRISH_WORDS * WORD_BYTES).toBe(252);
    expect(TRISH_WORDS * WORD_BYTES).toBeLessThanOrEqual(U8_MAX);
    expect((TRISH_WORDS + 1) * WORD_BYTES).toBeGreaterThan(U8_MAX);
  });

  it("a row of 64 full counters fits 16 bits, and so would 256 (CUDA Handbook: up to 256 partial sums)", () => {
    expect(TRISH_THREADS * 252).toBe(16_128);
    expect(256 * 252).toBe(64_512);
    expect(256 * 252).toBeLessThanOrEqual(U16_MAX);
    expect(256 * U8_MAX).toBeLessThanOrEqual(U16_MAX);
    expect(261 * 252).toBeGreaterThan(U16_MAX);
  });

  it("a block of Podlozhnyuk's takes 48,384 bytes before its counters are summed", () => {
    expect(limits.PER_THREAD_64_THREADS * TRISH_WORDS * WORD_BYTES).toBe(48_384);
  });

  it("TRISH loops until one more could exceed 63 words (section 5.4)", () => {
    for (let k = 1; k <= 63; k++) {
      let loops = 0;
      for (let overflow = 0; loops === 0 || overflow <= 63 - k; overflow += k) loops++;
      expect(limits.trishLoops(k)).toBe(loops);
      expect(limits.trishLoops(k) * k).toBeLessThanOrEqual(TRISH_WORDS);
      expect((limits.trishLoops(k) + 1) * k).toBeGreaterThan(TRISH_WORDS);
    }
    expect(limits.trishLoops(64)).toBe(0);
  });

  it("RowSum efficiency is Figure 4's", () => {
    for (const k of [1, 3, 7, 9, 21, 63]) expect(limits.rowSumEfficiency(k)).toBe(1);
    expect(limits.rowSumEfficiency(31)).toBe(62 / 63);
    expect(limits.rowSumEfficiency(32)).toBe(32 / 63);
    const all = Array.from({ length: 63 }, (_, i) => limits.rowSumEfficiency(i + 1));
    expect(Math.min(...all)).toBe(32 / 63);
    expect(all.filter((efficiency) => efficiency === 1)).toHaveLength(6);
  });

  it("divideCeiling rounds up", () => {
    expect([0, 1, 251, 252, 253].map((n) => limits.divideCeiling(n, 252))).toEqual([0, 1, 1, 1, 2]);
  });
});
