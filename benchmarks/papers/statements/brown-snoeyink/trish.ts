import { byHardware, byPaper, type Statement } from "../statement.ts";

const KERNEL = "packages/cuda/src/kernels/trish/kernel.cu";
const COUNT = "packages/cuda/src/kernels/trish/count.cuh";
const MERGE = "packages/cuda/native/kernels/merge.cu";
const SHARED = "packages/core/src/algorithms/lib/shared.ts";

const NO_NUMBER = byPaper("The paper describes it without a measurement of its own.");

/** Sections 5 to 7 of Brown & Snoeyink: TRISH, its variants and parameters. */
export const trish: readonly Statement[] = [
  {
    where: "5",
    kind: "method",
    says: "TRISH keeps one histogram per thread in byte counters, and sums them into the block's counts before they can overflow.",
    code: {
      slug: "trish",
      at: [`${COUNT}#countBytes`, "packages/core/src/algorithms/references/trish.ts#reference"],
    },
    report: { figure: "brown-snoeyink-figure-6", claims: ["The three methods on uniform bytes"] },
  },
  {
    where: "5.1",
    kind: "parameter",
    says: "A block has 64 threads. Four 8-bit counters share a word, so a block's histograms take 16 KB.",
    code: { slug: "trish", constants: { TRISH_THREADS: 64, TRISH_BINS: 256 } },
    report: { figure: "brown-snoeyink-table-1", panels: ["counters"] },
  },
  {
    where: "5.1",
    kind: "parameter",
    says: "A thread bins at most 63 words (252 bytes) before its counters are summed.",
    code: { slug: "trish", constants: { TRISH_WORDS: 63 }, at: [`${COUNT}#LOOPS`] },
    report: { figure: "brown-snoeyink-figure-4", panels: ["efficiency"] },
  },
  {
    where: "5.1, Figure 3",
    kind: "variant",
    says: "Row sums start at the thread's own column and wrap around. A direct order would cause a 32-way bank conflict.",
    code: {
      slug: "trish",
      at: [`${COUNT}#accumulate`],
      differs: "The kernel reads and clears a row in steps of 16 bytes, so eight lanes use all 32 banks.",
    },
    report: { figure: "brown-snoeyink-table-1", claims: ["Bank Conflicts, by method"] },
  },
  {
    where: "5.1",
    kind: "variant",
    says: "The block's counts are a register array. Each of 64 threads owns four 32-bit counters.",
    code: { slug: "trish", at: [`${COUNT}#BlockCounts`] },
    report: { figure: "brown-snoeyink-table-1", panels: ["counters"] },
  },
  {
    where: "5.2",
    kind: "parameter",
    says: "A thread bins k words per loop, with k in [1..63]. The loop over these words is unrolled.",
    code: { slug: "trish", set: { k: 63 }, at: [`${KERNEL}#countBytesFor`] },
    report: { figure: "brown-snoeyink-figure-4", panels: ["throughput"] },
  },
  {
    where: "5.2",
    kind: "variant",
    says: "The k words of a loop are binned in batches of four, each with its own variables, for independent instructions.",
    code: {
      slug: "trish",
      constants: { TRISH_BATCH: 4 },
      at: [`${COUNT}#Pipeline`],
      differs: "A batch is one load of 16 bytes, issued before the previous batches are binned.",
    },
    report: NO_NUMBER,
  },
  {
    where: "5.3",
    kind: "variant",
    says: "Row sums treat a word [3,2,1,0] as two pairs of bytes and add them as 16-bit sums.",
    code: { slug: "trish", set: { rowSums: "pairs" }, at: [`${COUNT}#Pairs`] },
    report: { figure: "brown-snoeyink-section-5.3", claims: ["Pairs are faster than single bytes"] },
  },
  {
    where: "5.3",
    kind: "variant",
    says: "Row sums add the four bytes of a word as singletons.",
    code: { slug: "trish", set: { rowSums: "singletons" }, at: [`${COUNT}#Singletons`] },
    report: { figure: "brown-snoeyink-section-5.3", panels: ["row sums"] },
  },
  {
    where: "5.3",
    kind: "variant",
    says: "Binning computes the addresses of two bytes together, with shifts and masks instead of multiplications.",
    code: { slug: "trish", at: [`${COUNT}#myColumns`] },
    report: { figure: "brown-snoeyink-table-1", claims: ["Ins/Byte, by method"] },
  },
  {
    where: "5.4",
    kind: "parameter",
    says: "The authors recommend k = 31.",
    code: { slug: "trish", set: { k: 31 }, constants: { TRISH_K: 31 } },
    report: { figure: "brown-snoeyink-figure-6", panels: ["uniform"] },
  },
  {
    where: "5.5",
    kind: "method",
    says: "A second kernel, BlockSum, sums the blocks' histograms that Count has written to global memory.",
    code: { slug: "trish", set: { reduce: "tables" }, at: [`${MERGE}#mergeTables`, `${COUNT}#write`] },
    report: { figure: "brown-snoeyink-figure-6", claims: ["TRISH does not depend on the data"] },
  },
  {
    where: "Abstract",
    kind: "variant",
    says: "TRISH avoids atomic operations.",
    code: {
      slug: "trish",
      set: { reduce: "atomic" },
      at: ["packages/core/src/algorithms/lib/partials.ts#reduceRule"],
      differs: "With this value blocks add with global atomics, for comparison. The default has none.",
    },
    report: { figure: "brown-snoeyink-figure-6", panels: ["data"] },
  },
  {
    where: "5.5, Figure 5",
    kind: "variant",
    says: "Whole rows are counted without range checks. A left-over row is counted afterwards with range checks.",
    code: { slug: "trish", at: [`${COUNT}#binLeftOver`] },
    report: NO_NUMBER,
  },
  {
    where: "Figure 5",
    kind: "variant",
    says: "The input takes n/32 coalesced reads, and the blocks' counts take (256 * nBlocks)/32 coalesced writes.",
    code: { slug: "trish", at: [`${COUNT}#batch`, `${COUNT}#write`] },
    report: NO_NUMBER,
  },
  {
    where: "Figure 5",
    kind: "variant",
    says: "The loop sums rows if overflowCount >= (63 - K).",
    code: {
      slug: "trish",
      at: ["packages/core/src/algorithms/lib/limits.ts#trishLoops"],
      differs: "This test would sum one loop too early if k divides 63. The code follows the formula of 5.4.",
    },
    report: { figure: "brown-snoeyink-figure-4", panels: ["efficiency"] },
  },
  {
    where: "6.1",
    kind: "parameter",
    says: "The grid has 48 blocks, 3 on each of 16 multiprocessors, and a stride of 95,232 words. A larger grid has a larger last row.",
    code: {
      slug: "trish",
      at: [`${SHARED}#blocksThatFill`, "packages/core/src/algorithms/trish.ts#EVEN_BLOCKS"],
      differs: "The plan takes as many blocks as fit the device, an even number per multiprocessor.",
    },
    report: { figure: "brown-snoeyink-section-6.2", panels: ["occupancy"] },
  },
  {
    where: "7, Generalizing",
    kind: "variant",
    says: "The method could count fewer bins and other data types. More bins than 256 are difficult, for lack of shared memory.",
    code: {
      slug: "trish",
      constants: { TRISH_BINS: 256 },
      at: [`${KERNEL}#countCodes`],
      differs: "The kernel counts up to 256 bins of any sample type, and refuses more.",
    },
    report: byPaper("The paper leaves it to future work and gives no number."),
  },
  {
    where: "7, Leveraging FPU",
    kind: "variant",
    says: "The unused floating-point pipelines could bin 4 counts per 16 counts of the integer pipelines.",
    code: byPaper("The paper leaves it to future work and describes no kernel."),
    report: byPaper("The paper leaves it to future work and gives no number."),
  },
  {
    where: "5.1",
    kind: "variant",
    says: "Two or more warps per multiprocessor enable the dual issue of the Fermi class.",
    code: {
      constants: { SCHEDULERS: 4 },
      at: ["packages/core/src/algorithms/trish.ts#EVEN_BLOCKS"],
      differs:
        "Today's four schedulers issue one instruction each. A plan gives all four the same number of warps.",
    },
    report: byHardware("GPUs since Volta have no dual issue, so the statement cannot be measured."),
  },
  {
    where: "6",
    kind: "parameter",
    says: "n goes from 8192 to 268,435,456 in powers of 2.",
    code: { at: ["benchmarks/src/suites/figure6.ts#LOG2N"] },
    report: { figure: "brown-snoeyink-figure-6", panels: ["uniform", "linear", "zeros"] },
  },
  {
    where: "6",
    kind: "parameter",
    says: "A time is the average of 100 runs.",
    code: {
      at: ["benchmarks/src/runner/statistics.ts#median"],
      differs: "Ours is the median of the runs, because a few slow runs do not change it.",
    },
    report: NO_NUMBER,
  },
];
