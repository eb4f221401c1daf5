import { byPaper, type Statement } from "../statement.ts";

const PER_THREAD = "packages/cuda/src/kernels/per-thread/kernel.cu";
const PER_WARP = "packages/cuda/src/kernels/per-warp/kernel.cu";
const CODES = "packages/cuda/native/kernels/codes.cuh";
const MERGE = "packages/cuda/native/kernels/merge.cu";

const NO_NUMBER = byPaper("The paper describes it without a measurement of its own.");

/** Sections 1 to 4 of Brown & Snoeyink: histograms on a CPU, and the methods of Podlozhnyuk and Nugteren. */
export const earlier: readonly Statement[] = [
  {
    where: "Figure 1",
    kind: "method",
    says: "One CPU thread increments `bins[V[idx]]` for each byte. This is the baseline that results are compared with.",
    code: { slug: "sequential", at: ["packages/core/src/cpu/oracle.ts#countSequential"] },
    report: NO_NUMBER,
  },
  {
    where: "1",
    kind: "method",
    says: "A histogram divides the range [min, max) into m equal bins, each with its lower edge and without its upper one.",
    code: {
      at: ["packages/core/src/axis/axis.ts#regular"],
      differs: "As in NumPy, the last bin of a regular axis includes its upper edge.",
    },
    report: NO_NUMBER,
  },
  {
    where: "3",
    kind: "method",
    says: "Total cycles, TC = II / IPC, compare methods by instructions issued and instructions per cycle.",
    code: { at: ["benchmarks/src/suites/table1-terms.ts#Cycles II/IPC"] },
    report: { figure: "brown-snoeyink-table-1", claims: ["Cycles II/IPC, by method"] },
  },
  {
    where: "4",
    kind: "method",
    says: "Yang et al. have a third GPU method, which reaches 0.7 GB/s on the G80.",
    code: byPaper("The paper only cites it, and does not describe it."),
    report: byPaper("The paper only cites it, and does not measure it."),
  },
  {
    where: "4.1",
    kind: "method",
    says: "Podlozhnyuk keeps one 256-bin histogram per warp. A block has 6 warps of 32 threads, and so 6 histograms.",
    code: { slug: "per-warp", constants: { PER_WARP_THREADS: 192 }, at: [`${PER_WARP}#addTables`] },
    report: {
      figure: "brown-snoeyink-figure-6",
      claims: ["The three methods on uniform bytes", "Podlozhnyuk's method depends on the data"],
    },
  },
  {
    where: "4.1, 6.1",
    kind: "variant",
    says: "Hardware atomics resolve collisions. The paper measures Podlozhnyuk's method with them.",
    code: { slug: "per-warp", set: { collisions: "atomic" }, at: [`${PER_WARP}#countAtomic`] },
    report: { figure: "brown-snoeyink-figure-6", panels: ["uniform", "zeros", "linear"] },
  },
  {
    where: "4.1",
    kind: "variant",
    says: "Software tags resolve collisions. The top 5 bits of a counter hold the number of the thread that wrote last.",
    code: {
      slug: "per-warp",
      set: { collisions: "tag" },
      constants: { TAG_BITS: 5 },
      at: [`${PER_WARP}#addTagged`],
      differs: "Warps no longer run in lock-step, so barriers of the warp separate reads, writes and checks.",
    },
    report: { figure: "brown-snoeyink-figure-6", panels: ["data"] },
  },
  {
    where: "4.1",
    kind: "variant",
    says: "Shams generalized Podlozhnyuk's method to 32-bit inputs and a range of bin sizes.",
    code: { slug: "per-warp", at: ["packages/core/src/algorithms/lib/shared.ts#cellsThatFit"] },
    report: byPaper("The paper only cites it, and does not measure it."),
  },
  {
    where: "4.2",
    kind: "method",
    says: "Nugteren keeps one histogram per thread with 32 threads per block, so that threads never collide.",
    code: { slug: "per-thread", constants: { PER_THREAD_THREADS: 32 }, at: [`${PER_THREAD}#countPerThread`] },
    report: {
      figure: "brown-snoeyink-figure-6",
      claims: ["TRISH over Nugteren", "Nugteren's method does not depend on the data"],
    },
  },
  {
    where: "4.2",
    kind: "parameter",
    says: "Two 16-bit counters share a 32-bit word, so 128 words hold 256 bins and a block takes 16 KB.",
    code: { slug: "per-thread", at: [`${PER_THREAD}#HALF_BITS`] },
    report: { figure: "brown-snoeyink-table-1", panels: ["counters"] },
  },
  {
    where: "4.2, 6.1",
    kind: "variant",
    says: "Nugteren's program is compiled for images of 2048x2048 bytes and checks no range. The paper extends it to sizes 4, 16 and 64 times as large.",
    code: {
      slug: "per-thread",
      at: [`${PER_THREAD}#sumRows`],
      differs: "The kernel takes any number of samples. It sums its columns before 16 bits can overflow.",
    },
    report: { figure: "brown-snoeyink-figure-6", panels: ["uniform"] },
  },
  {
    where: "4.2",
    kind: "variant",
    says: "A tail GPU kernel sums the histograms of the blocks into the final one.",
    code: { slug: "per-thread", set: { reduce: "tables" }, at: [`${MERGE}#mergeTables`] },
    report: { figure: "brown-snoeyink-figure-6", claims: ["Nugteren's method does not depend on the data"] },
  },
  {
    where: "4.2",
    kind: "variant",
    says: "Nugteren's method is deterministic and needs no atomics.",
    code: {
      slug: "per-thread",
      set: { reduce: "atomic" },
      at: [`${CODES}#atomicAdd`],
      differs: "With this value blocks add with global atomics, for comparison. The default has none.",
    },
    report: { figure: "brown-snoeyink-figure-6", panels: ["data"] },
  },
];
