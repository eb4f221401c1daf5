import { byHardware, byPaper, type Statement } from "./statement.ts";

const FIGURE_6 = "benchmarks/src/suites/figure6.ts";
const TABLE_1 = "benchmarks/src/suites/table1.ts#table1";
const TRISH_SUITE = "benchmarks/src/suites/trish.ts";
const CARDS = byHardware(
  "CUDA 13 compiles for compute capability 7.5 and newer, and these cards have 2.0 and 2.1.",
);

/** The quantitative claims of Brown & Snoeyink. */
export const claims: readonly Statement[] = [
  {
    where: "Abstract",
    kind: "claim",
    says: "TRISH is up to 50% faster than previous methods for random data and 2-4x faster for image data.",
    code: { slug: "trish", at: [`${FIGURE_6}#METHODS`] },
    report: {
      figure: "brown-snoeyink-figure-7",
      claims: ["TRISH over Podlozhnyuk, at most", "TRISH over Nugteren, at least"],
    },
  },
  {
    where: "Abstract",
    kind: "claim",
    says: "TRISH is deterministic, avoids atomic operations, and its performance is independent of the data.",
    code: { slug: "trish" },
    report: { figure: "brown-snoeyink-figure-6", claims: ["TRISH does not depend on the data"] },
  },
  {
    where: "Abstract, 5.1",
    kind: "claim",
    says: "Compact histograms raise the resident blocks from 2 to 3, an occupancy of 12.5% (192/1536).",
    code: { slug: "trish", at: ["packages/core/src/algorithms/lib/shared.ts#blocksThatFill"] },
    report: { figure: "brown-snoeyink-table-1", claims: ["Resident threads, by method"] },
  },
  {
    where: "4.1",
    kind: "claim",
    says: "Podlozhnyuk's method achieves full occupancy (100% = 1536/1536) with 192 threads per block and 8 blocks.",
    code: { slug: "per-warp", constants: { PER_WARP_THREADS: 192 } },
    report: { figure: "brown-snoeyink-table-1", claims: ["Resident threads, by method"] },
  },
  {
    where: "4.1, 6.1",
    kind: "claim",
    says: "The performance of Podlozhnyuk's method depends on the data: 43.61, 27.43 and 0.48 GB/s for its best case, random data and its worst case.",
    code: { slug: "per-warp", set: { collisions: "atomic" }, at: [`${FIGURE_6}#DISTRIBUTIONS`] },
    report: {
      figure: "brown-snoeyink-figure-6",
      claims: [
        "Podlozhnyuk's method depends on the data",
        "The linear data set is Podlozhnyuk's best case, over zeros",
        "The three methods on Podlozhnyuk's best case",
        "The three methods on Podlozhnyuk's worst case",
      ],
    },
  },
  {
    where: "4.2",
    kind: "claim",
    says: "Nugteren et al. report 56% better throughput than Podlozhnyuk's method. The authors have not seen consistent improvement.",
    code: { slug: "per-thread" },
    report: { figure: "brown-snoeyink-figure-6", claims: ["The three methods on uniform bytes"] },
  },
  {
    where: "4.2",
    kind: "claim",
    says: "Nugteren's method runs 3 blocks per multiprocessor, an occupancy of 6.25% (96/1536).",
    code: { slug: "per-thread", at: ["packages/core/src/algorithms/lib/shared.ts#blocksThatFill"] },
    report: { figure: "brown-snoeyink-table-1", claims: ["Resident threads, by method"] },
  },
  {
    where: "4.2",
    kind: "claim",
    says: "Nugteren's method is predictable, because it does not depend on the distribution of the data.",
    code: { slug: "per-thread" },
    report: { figure: "brown-snoeyink-figure-6", claims: ["Nugteren's method does not depend on the data"] },
  },
  {
    where: "5.2, Table 1",
    kind: "claim",
    says: "TRISH uses 36 registers per thread, Podlozhnyuk's method 18 and Nugteren's 42.",
    code: { at: [TABLE_1] },
    report: { figure: "brown-snoeyink-table-1", panels: ["counters"] },
  },
  {
    where: "5.3",
    kind: "claim",
    says: "Quads and pairs of bytes reduce the arithmetic operations by up to factors of 4 or 2.",
    code: { slug: "trish", at: ["packages/cuda/src/kernels/trish/kernel.cu#oddBytes"] },
    report: { figure: "brown-snoeyink-table-1", claims: ["Ins/Byte, by method"] },
  },
  {
    where: "5.4, Figure 4",
    kind: "claim",
    says: "k = 31 and k = 63 give the best throughput, 40.91 and 41.86 GB/s.",
    code: { slug: "trish", set: { k: 63 }, at: [`${TRISH_SUITE}#trishByK`] },
    report: { figure: "brown-snoeyink-figure-4", claims: ["The fastest k"] },
  },
  {
    where: "5.4",
    kind: "claim",
    says: "At k = 32 throughput drops to 35.44 GB/s, because rows are summed almost twice as often.",
    code: { slug: "trish", set: { k: 32 }, at: [`${TRISH_SUITE}#trishByK`] },
    report: {
      figure: "brown-snoeyink-figure-4",
      claims: ["k = 31 is faster than k = 32, which sums rows twice as often"],
    },
  },
  {
    where: "5.4",
    kind: "claim",
    says: "Low values, up to k = 4, are the slowest. At k = 1 throughput is only 18.92 GB/s.",
    code: { slug: "trish", set: { k: 1 }, at: [`${TRISH_SUITE}#trishByK`] },
    report: {
      figure: "brown-snoeyink-figure-4",
      claims: [
        "k up to 4 is worst: below the mean of the rest",
        "Unrolling is worthwhile: k = 31 over k = 1",
      ],
    },
  },
  {
    where: "5.4",
    kind: "claim",
    says: "Larger values of k amortize the loop overhead.",
    code: { slug: "trish", at: [`${TRISH_SUITE}#trishByK`] },
    report: { figure: "brown-snoeyink-figure-4", claims: ["A larger k reduces loop overhead"] },
  },
  {
    where: "5.4",
    kind: "claim",
    says: "The RowSum efficiency is floor(63 / k) * k / 63: 1.0 for k = 1, 3, 9, 21 and 63, 0.984 for 31, 0.508 for 32.",
    code: { at: ["packages/core/src/algorithms/lib/limits.ts#rowSumEfficiency"] },
    report: { figure: "brown-snoeyink-figure-4", panels: ["efficiency"] },
  },
  {
    where: "Figure 4",
    kind: "claim",
    says: "The caption calls k = 22 and 31 the worst, and 7 one of the best.",
    code: {
      at: ["packages/core/src/algorithms/lib/limits.ts#rowSumEfficiency"],
      differs: "By the formula of 5.4 the worst is 32, as the text says, and 7 also divides 63.",
    },
    report: { figure: "brown-snoeyink-figure-4", panels: ["efficiency"] },
  },
  {
    where: "5.4",
    kind: "claim",
    says: "At higher values of k there is a strong correlation between RowSum efficiency and throughput.",
    code: { at: [`${TRISH_SUITE}#rowSumEfficiency`] },
    report: {
      figure: "brown-snoeyink-figure-4",
      claims: ["At higher k throughput follows RowSum efficiency"],
    },
  },
  {
    where: "6",
    kind: "claim",
    says: "Tests on a GTX 480 and a GTX 560M had similar results to those on the GTX 580.",
    code: CARDS,
    report: CARDS,
  },
  {
    where: "6.1",
    kind: "claim",
    says: "For n = 67,108,864 TRISH achieves 40.53 GB/s and Nugteren's method 11.25 GB/s.",
    code: { slug: "trish", at: [`${FIGURE_6}#figure6`] },
    report: {
      figure: "brown-snoeyink-figure-6",
      claims: ["The three methods on uniform bytes", "TRISH gets faster with n"],
    },
  },
  {
    where: "6.1",
    kind: "claim",
    says: "For random data TRISH is 3.6x as fast as Nugteren's method and 1.48x as fast as Podlozhnyuk's.",
    code: { slug: "trish", at: [`${FIGURE_6}#figure6`] },
    report: { figure: "brown-snoeyink-figure-6", claims: ["TRISH over Nugteren", "TRISH over Podlozhnyuk"] },
  },
  {
    where: "6.1, Figure 7",
    kind: "claim",
    says: "On three images of 256 to 4096 pixels per side, TRISH is from 1.05x to 4.4x as fast as Podlozhnyuk's method.",
    code: { at: [`${FIGURE_6}#SIDES`, "benchmarks/src/data/picture.ts#tiled"] },
    report: {
      figure: "brown-snoeyink-figure-7",
      claims: ["TRISH over Podlozhnyuk, at least", "TRISH over Podlozhnyuk, at most"],
    },
  },
  {
    where: "6.1, Figure 7",
    kind: "claim",
    says: "On images TRISH is 2-3x as fast as Nugteren's method.",
    code: { at: [`${FIGURE_6}#SIDES`] },
    report: {
      figure: "brown-snoeyink-figure-7",
      claims: ["TRISH over Nugteren, at least", "TRISH over Nugteren, at most"],
    },
  },
  {
    where: "6.1, Figure 7",
    kind: "claim",
    says: "An alpha channel of zeros in RGBA images slows Podlozhnyuk's method.",
    code: { at: ["benchmarks/src/data/picture.ts#rgbaOf"] },
    report: {
      figure: "brown-snoeyink-figure-7",
      claims: ["An alpha of 0 causes collisions in Podlozhnyuk's method: TRISH over Podlozhnyuk, at 4096"],
    },
  },
  {
    where: "6.2",
    kind: "claim",
    says: "Without accumulation performance increases by about 20%, from 40.9 to 49.4 GB/s.",
    code: { at: ["benchmarks/src/suites/degraded.ts#degraded"] },
    report: { figure: "brown-snoeyink-section-6.2", claims: ["Without row sums TRISH is faster"] },
  },
  {
    where: "6.2",
    kind: "claim",
    says: "Without the cost of accumulation, k = 31 reaches 49.5 GB/s and k = 1 27.5, so unrolling doubles the speed.",
    code: { at: ["benchmarks/src/suites/degraded.ts#degraded"] },
    report: {
      figure: "brown-snoeyink-section-6.2",
      claims: ["Unrolling is faster, without row sums"],
    },
  },
  {
    where: "6.2",
    kind: "claim",
    says: "1, 2 and 3 concurrent blocks per multiprocessor reach 14.6, 28.5 and 40.9 GB/s, slightly under three times.",
    code: { at: [`${TRISH_SUITE}#withBlocks`] },
    report: {
      figure: "brown-snoeyink-section-6.2",
      claims: ["More blocks are faster", "Two blocks over one"],
    },
  },
  {
    where: "6.3, Table 1",
    kind: "claim",
    says: "The throughputs under the profiler are 40.02, 27.03 and 11.25 GB/s.",
    code: { at: [TABLE_1] },
    report: { figure: "brown-snoeyink-table-1", claims: ["Throughput GB/s, by method"] },
  },
  {
    where: "6.3, Table 1",
    kind: "claim",
    says: "TRISH takes 11.71 instructions per byte, Podlozhnyuk's method 23.42 and Nugteren's 6.11. All are above the balanced 4.00:1.",
    code: { at: [TABLE_1] },
    report: { figure: "brown-snoeyink-table-1", claims: ["Ins/Byte, by method"] },
  },
  {
    where: "6.3, Table 1",
    kind: "claim",
    says: "TRISH issues 6,140,046 instructions, Podlozhnyuk's method 12,292,604 and Nugteren's 6,039,095.",
    code: {
      at: [TABLE_1],
      differs: "The printed counts are a quarter of those that follow from instructions per byte and n.",
    },
    report: {
      figure: "brown-snoeyink-table-1",
      claims: ["II, by method", "Podlozhnyuk's method issues more instructions than TRISH"],
    },
  },
  {
    where: "6.3, Table 1",
    kind: "claim",
    says: "TRISH retires 1.18 instructions per cycle, Podlozhnyuk's method 1.58 and Nugteren's 0.34, of at most 2.0.",
    code: { at: [TABLE_1] },
    report: {
      figure: "brown-snoeyink-table-1",
      claims: ["IPC, by method", "Nugteren's method retires fewer instructions per cycle than TRISH"],
    },
  },
  {
    where: "6.3, Table 1",
    kind: "claim",
    says: "TRISH has 0 bank conflicts, Podlozhnyuk's method 2,469,684 and Nugteren's 7,680.",
    code: { at: [TABLE_1] },
    report: { figure: "brown-snoeyink-table-1", claims: ["Bank Conflicts, by method"] },
  },
  {
    where: "6.3, Table 1",
    kind: "claim",
    says: "TRISH needs 5,203,429 cycles, Podlozhnyuk's method 7,780,130 and Nugteren's 17,762,045.",
    code: { at: [TABLE_1] },
    report: { figure: "brown-snoeyink-table-1", claims: ["Cycles II/IPC, by method"] },
  },
  {
    where: "6.3, Table 1",
    kind: "claim",
    says: "TRISH takes 8,844 branches without divergence, Podlozhnyuk's method 1,663,119 with 940,361 divergent ones, Nugteren's 1,677.",
    code: { at: [TABLE_1] },
    report: { figure: "brown-snoeyink-table-1", panels: ["counters"] },
  },
  {
    where: "6.3, Table 1",
    kind: "claim",
    says: "20.09% of the instructions of Podlozhnyuk's method are replays, 8.32% of Nugteren's and 0.00% of TRISH's.",
    code: { at: [TABLE_1] },
    report: { figure: "brown-snoeyink-table-1", panels: ["counters"] },
  },
  {
    where: "6.3, Table 1",
    kind: "claim",
    says: "On average 5.94, 44.47 and 2.98 warps are active per cycle.",
    code: { at: [TABLE_1] },
    report: { figure: "brown-snoeyink-table-1", panels: ["counters"] },
  },
  {
    where: "7",
    kind: "claim",
    says: "TRISH bins 41.87 billion bytes per second in the best case.",
    code: { slug: "trish", set: { k: 63 }, at: [`${FIGURE_6}#CELLS`] },
    report: { figure: "brown-snoeyink-figure-4", claims: ["The fastest k"] },
  },
  {
    where: "7, Improving IPC",
    kind: "claim",
    says: "With an IPC of 1.58 performance could increase by up to 33%.",
    code: byPaper("The paper expects it from a kernel that it does not have."),
    report: byPaper("The paper expects it from a kernel that it does not have."),
  },
];
