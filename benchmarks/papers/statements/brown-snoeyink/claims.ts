import { byHardware, byPaper, type Statement } from "../statement.ts";

const FIGURE_6 = "benchmarks/src/suites/figure6.ts";
const TRISH_SUITE = "benchmarks/src/suites/trish.ts";
const CARDS = byHardware(
  "CUDA 13 compiles for compute capability 7.5 and newer, and these cards have 2.0 and 2.1.",
);

/** The quantitative claims of Brown & Snoeyink, except for Table 1. */
export const claims: readonly Statement[] = [
  {
    where: "Introduction",
    kind: "claim",
    says: "Previous methods achieve 6-15% of the theoretical peak throughput, and TRISH ~21%.",
    code: { at: ["benchmarks/papers/page/hardware.ts#peakOf"] },
    report: { figure: "brown-snoeyink-peak", claims: ["The three methods by their share", "TRISH's share"] },
  },
  {
    where: "4.1",
    kind: "claim",
    says: "Podlozhnyuk's method performs at 15.0% of peak throughput for random data.",
    code: { slug: "per-warp", at: ["benchmarks/papers/page/hardware.ts#peakOf"] },
    report: { figure: "brown-snoeyink-peak", claims: ["Podlozhnyuk's share"] },
  },
  {
    where: "4.2",
    kind: "claim",
    says: "Nugteren's method achieves about 5.4% of peak throughput for 2048x2048 bytes.",
    code: { slug: "per-thread", at: ["benchmarks/papers/page/hardware.ts#peakOf"] },
    report: { figure: "brown-snoeyink-peak", claims: ["Nugteren's share, 2048 x 2048 bytes"] },
  },
  {
    where: "4.1",
    kind: "claim",
    says: "With tags, many thread collisions can be 8-32 times slower than none.",
    code: { slug: "per-warp", set: { collisions: "tag" }, at: ["benchmarks/peers/podlozhnyuk.cu"] },
    report: {
      figure: "podlozhnyuk-histogram-256",
      claims: [
        "The worst case of the tag is 8 to 32 times as slow as its best case: linear bytes over zeros",
      ],
    },
  },
  {
    where: "4.2",
    kind: "claim",
    says: "Hardware atomics instead of tags give a 50% speedup of Podlozhnyuk's method.",
    code: { slug: "per-warp", set: { collisions: "atomic" }, at: [`${FIGURE_6}#CELLS`] },
    report: {
      figure: "brown-snoeyink-figure-6",
      claims: ["Hardware atomics make Podlozhnyuk's method faster than its software tag"],
    },
  },
  {
    where: "5.3",
    kind: "claim",
    says: "Pairs instead of singletons improve throughput by about 5%, from 38.1 to 40.3 GB/s.",
    code: {
      slug: "trish",
      set: { rowSums: "singletons" },
      at: ["benchmarks/src/suites/trish-variants.ts#rowSumAddends"],
    },
    report: { figure: "brown-snoeyink-section-5.3", claims: ["Pairs are faster than single bytes"] },
  },
  {
    where: "5.4",
    kind: "claim",
    says: "k = 31 is the better overall choice than k = 63, because it is faster for small to medium values of n.",
    code: { slug: "trish", set: { k: 31 }, at: [`${FIGURE_6}#CELLS`] },
    report: {
      figure: "brown-snoeyink-figure-6",
      claims: ["k = 31 is faster than k = 63 for small to medium n"],
    },
  },
  {
    where: "Abstract",
    kind: "claim",
    says: "TRISH is up to 50% faster than previous methods for random data and 2-4x faster for image data.",
    code: { slug: "trish", at: [`${FIGURE_6}#METHODS`] },
    report: {
      figure: "brown-snoeyink-figure-7",
      claims: ["TRISH over Podlozhnyuk, at most, photographs", "TRISH over Nugteren, at least, photographs"],
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
    code: { slug: "per-thread", at: [`${FIGURE_6}#SIDES`] },
    report: {
      figure: "brown-snoeyink-figure-7",
      claims: ["Nugteren's own claim: his method over Podlozhnyuk's tag on 2048 x 2048 pixels"],
    },
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
    where: "5.3",
    kind: "claim",
    says: "Quads and pairs of bytes reduce the arithmetic operations by up to factors of 4 or 2.",
    code: { slug: "trish", at: ["packages/cuda/src/kernels/trish/count.cuh#oddBytes"] },
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
    report: {
      figure: "brown-snoeyink-figure-4",
      claims: ["A larger k reduces loop overhead, at full RowSum efficiency"],
    },
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
    code: { at: ["benchmarks/src/suites/pictures.ts", "benchmarks/src/data/picture.ts#tiled"] },
    report: {
      figure: "brown-snoeyink-figure-7",
      claims: [
        "TRISH over Podlozhnyuk, at least, photographs",
        "TRISH over Podlozhnyuk, at most, photographs",
        "TRISH over Podlozhnyuk, at least, the generated picture",
        "TRISH over Podlozhnyuk, at most, the generated picture",
      ],
    },
  },
  {
    where: "6.1, Figure 7",
    kind: "claim",
    says: "On images TRISH is 2-3x as fast as Nugteren's method.",
    code: { at: [`${FIGURE_6}#SIDES`] },
    report: {
      figure: "brown-snoeyink-figure-7",
      claims: [
        "TRISH over Nugteren, at least, photographs",
        "TRISH over Nugteren, at most, photographs",
        "TRISH over Nugteren, at least, the generated picture",
        "TRISH over Nugteren, at most, the generated picture",
      ],
    },
  },
  {
    where: "6.1, Figure 7",
    kind: "claim",
    says: "An alpha channel of zeros in RGBA images slows Podlozhnyuk's method.",
    code: { at: ["benchmarks/src/data/picture.ts#rgbaOf"] },
    report: {
      figure: "brown-snoeyink-figure-7",
      claims: ["An alpha of 0 slows Podlozhnyuk's method down, with TRISH as the control"],
    },
  },
  {
    where: "6.2",
    kind: "claim",
    says: "Without accumulation performance increases by about 20%, from 40.9 to 49.4 GB/s.",
    code: {
      at: ["benchmarks/peers/trish.cu", "benchmarks/src/suites/row-sums.ts#rowSums"],
      differs:
        "Without row sums counts are wrong, so a program of the benchmark has this kernel and no plan leads to it.",
    },
    report: { figure: "brown-snoeyink-section-6.2", claims: ["Without row sums TRISH is faster"] },
  },
  {
    where: "6.2",
    kind: "claim",
    says: "Without the cost of accumulation, k = 31 reaches 49.5 GB/s and k = 1 27.5, so unrolling doubles the speed.",
    code: { at: ["benchmarks/peers/trish.cu", "benchmarks/src/suites/row-sums.ts#rowSums"] },
    report: {
      figure: "brown-snoeyink-section-6.2",
      claims: ["Unrolling is faster, without row sums"],
    },
  },
  {
    where: "6.2",
    kind: "claim",
    says: "1, 2 and 3 concurrent blocks per multiprocessor reach 14.6, 28.5 and 40.9 GB/s, slightly under three times.",
    code: { at: ["benchmarks/src/suites/trish-variants.ts#withBlocks"] },
    report: {
      figure: "brown-snoeyink-section-6.2",
      claims: ["More blocks are faster", "Two blocks over one", "Three blocks over one"],
    },
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
