import { byPaper, type Statement } from "../statement.ts";

const PAPER_SUITE = "benchmarks/src/suites/weighted-paper.ts#weightedPaper";
const PARAMETERS = "benchmarks/src/suites/weighted-paper.ts#weightedParameters";
const COUNTERS = "benchmarks/src/suites/weighted-counters.ts";
const SHAPES = "benchmarks/src/suites/weighted-paper.ts#weightedShapes";

/** The claims of Xu et al. about the methods for many bins, and the hybrid. */
export const manyBins: readonly Statement[] = [
  {
    where: "6.2.1",
    kind: "claim",
    says: "A histogram of 1024 bins takes 8kB, so 6 blocks reside. 100% occupancy needs 256 threads per block (8 warps).",
    code: {
      slug: "weighted-collision",
      at: ["packages/core/src/algorithms/lib/weighted-shared.ts#cellBytes"],
    },
    report: { figure: "xu-figure-8", claims: ["The best N_warp without unrolling"] },
  },
  {
    where: "6.2.1, Figure 8",
    kind: "claim",
    says: "With 8 warps per block and N_unroll = 1, the collision method achieves up to 45.8 GB/s on uniform values.",
    code: { slug: "weighted-collision", set: { warps: 8, unroll: 1 }, at: [PARAMETERS] },
    report: { figure: "xu-figure-8", claims: ["The best N_warp without unrolling"] },
  },
  {
    where: "4.3, 6.2.1",
    kind: "claim",
    says: "The effect of unrolling is more subtle than in the collision-free method, because occupancy is easily achieved.",
    code: { slug: "weighted-collision", set: { unroll: 4 }, at: [PARAMETERS] },
    report: { figure: "xu-figure-8", claims: ["Unrolling helps less than in the collision-free method"] },
  },
  {
    where: "6.2.1",
    kind: "claim",
    says: "If all values are equal, the collision method gets only 0.38 GB/s, which is even lower than the CPU.",
    code: { slug: "weighted-collision", at: [PAPER_SUITE] },
    report: { figure: "xu-figure-8", claims: ["Equal values serialise atomics: uniform over all equal"] },
  },
  {
    where: "4.4.1",
    kind: "claim",
    says: "The merge kernel costs far less time than the main kernel.",
    code: {
      slug: "weighted-collision-reduced",
      set: { reduce: "tables" },
      at: ["packages/cuda/src/kernels/weighted-collision-reduced/merge.cuh#mergeSubHistograms"],
    },
    report: byPaper("The paper gives no number for the merge."),
  },
  {
    where: "6.2.1",
    kind: "claim",
    says: "Without atomics, which gives incorrect results, the kernel achieves 117 GB/s of data and 160 GB/s of memory throughput.",
    code: {
      at: ["benchmarks/peers/collision.cu", "benchmarks/src/suites/weighted-atomics.ts#weightedAtomics"],
      differs: "A program of the benchmark has this kernel, and no plan leads to it.",
    },
    report: {
      figure: "xu-figure-8",
      claims: ["Atomics are the bottleneck on equal values: without over with"],
    },
  },
  {
    where: "6.2.2",
    kind: "claim",
    says: "With N_buffer = 10 and N_warp = 6 a block takes 23kB of shared memory, which gives an occupancy of 25%.",
    code: { slug: "weighted-collision-reduced", set: { buffer: 10, warps: 6 }, at: [COUNTERS] },
    report: { figure: "xu-section-6.2.2", claims: ["Shared memory of a block", "Occupancy"] },
  },
  {
    where: "6.2.2",
    kind: "claim",
    says: "With these parameters the method reaches 9.86 GB/s on uniform values and 5.57 GB/s on degenerate ones.",
    code: { slug: "weighted-collision-reduced", set: { buffer: 10, warps: 6 }, at: [PAPER_SUITE] },
    report: { figure: "xu-section-6.2.2", claims: ["Uniform values over equal ones"] },
  },
  {
    where: "6.2.2, 6.2.3",
    kind: "claim",
    says: "The collision-reduced method reaches 9.86 GB/s on uniform values and 5.57 GB/s on equal ones, 14 times the collision method.",
    code: { slug: "weighted-collision-reduced", set: { buffer: 10, warps: 6 }, at: [PAPER_SUITE] },
    report: {
      figure: "xu-figure-9",
      claims: [
        "Equal values: collision-reduced over collision",
        "Uniform values: collision-reduced over collision",
      ],
    },
  },
  {
    where: "6.2.3, Figure 9",
    kind: "claim",
    says: "Both methods improve with σ. The collision-reduced one is ahead when σ < 10.",
    code: { at: [PAPER_SUITE] },
    report: {
      figure: "xu-figure-9",
      claims: [
        "The sigma from which on collision is ahead",
        "Collision gets faster with sigma",
        "Collision-reduced gets faster with sigma",
      ],
    },
  },
  {
    where: "6.2.3, Figure 9",
    kind: "claim",
    says: "Figure 9 also shows the distribution of the standard deviations of real features, and Figure 10 that of each feature.",
    code: { at: ["benchmarks/papers/xu/figure-9.ts"] },
    report: { figure: "xu-figure-9", panels: ["deviations"] },
  },
  {
    where: "6.2.4, Figure 10",
    kind: "claim",
    says: "The collision-reduced method is ahead on 80% of the features, and on above 50% by about one order of magnitude.",
    code: { at: [SHAPES] },
    report: {
      figure: "xu-figure-10",
      claims: [
        "Collision-reduced is ahead on most features",
        "Collision-reduced is ahead by an order of magnitude on half of them: the median factor",
      ],
    },
  },
  {
    where: "4.4.1, 6.2.4",
    kind: "claim",
    says: "Real values come in clusters, which the collision-reduced method prefers, even when σ is larger than 10.",
    code: { at: ["benchmarks/src/data/feature-rows.ts#clusteredRow"] },
    report: {
      figure: "xu-figure-10",
      claims: [
        "Equal values slow the collision method down although their deviation is above 10: 90% zeros over none",
      ],
    },
  },
  {
    where: "6.2.5, Figure 11",
    kind: "claim",
    says: "On real data the collision-reduced method outperforms the collision method by a factor of 2 to 4.5.",
    code: { at: [PAPER_SUITE] },
    report: {
      figure: "xu-figure-11",
      claims: [
        "Collision-reduced over collision, at least",
        "Collision-reduced over collision, at most",
        "Features of different kinds: collision-reduced over collision",
      ],
    },
  },
  {
    where: "4.4.2, 6.2.5",
    kind: "claim",
    says: "Skipping zeros brings about 2x speedup. It is more beneficial for the collision method.",
    code: { at: [PARAMETERS] },
    report: {
      figure: "xu-figure-11",
      claims: [
        "Gain of the collision method from skipping zeros",
        "Gain of the collision-reduced method from skipping zeros",
        "Skipping zeros helps the collision method more than the collision-reduced one",
      ],
    },
  },
  {
    where: "4.4.2",
    kind: "claim",
    says: "Skipping is not suitable for the CPU program, since branches waste the instruction pipeline.",
    code: { at: ["packages/core/src/engine/table/summing.ts#mostFrequent"] },
    report: byPaper("The paper gives no number for it."),
  },
  {
    where: "6.2.5",
    kind: "claim",
    says: "The hybrid gains 10% to 20% over the best homogeneous method.",
    code: { slug: "weighted-hybrid", at: [SHAPES] },
    report: {
      figure: "xu-figure-11",
      claims: [
        "Features of different kinds: the hybrid over the best of its methods",
        "Features of different kinds: the hybrid over the best of its methods, zeros skipped",
      ],
    },
  },
  {
    where: "4.5",
    kind: "claim",
    says: "The hybrid chooses the best method for each feature, and so has the best performance.",
    code: { slug: "weighted-hybrid", at: [SHAPES] },
    report: {
      figure: "xu-figure-11",
      claims: [
        "The hybrid is nowhere slower than the best of its methods",
        "The hybrid is nowhere slower than the best of its methods, zeros skipped",
        "The hybrid is nowhere slower than the best of its methods, features of different kinds",
        "The hybrid is nowhere slower than the best of its methods, features of different kinds, zeros skipped",
      ],
    },
  },
  {
    where: "4.5, Table 1",
    kind: "claim",
    says: "The collision-free method is best for few bins, the collision method for sparse features and the collision-reduced one for dense features.",
    code: { slug: "weighted-hybrid", at: ["benchmarks/papers/xu/table-1.ts"] },
    report: {
      figure: "xu-table-1",
      claims: [
        "Few bins: the collision-free method over the better of the others, the lowest ratio",
        "Many bins, a sparse feature: the collision method over the collision-reduced one",
        "Many bins, a dense feature: the collision-reduced method over the collision one",
      ],
    },
  },
  {
    where: "6.2.5, Table 6",
    kind: "claim",
    says: "The best N_warp of the collision-reduced method is 2, 2, 3 and 6 for 128 to 1024 bins, the best N_buffer 10, 8, 5 and 10.",
    code: {
      slug: "weighted-collision-reduced",
      constants: {
        REDUCED_WARPS_1: 2,
        REDUCED_WARPS_3: 3,
        REDUCED_WARPS_WIDE: 6,
        REDUCED_BUFFER_1: 10,
        REDUCED_BUFFER_2: 8,
        REDUCED_BUFFER_3: 5,
        REDUCED_BUFFER_WIDE: 10,
      },
      at: [PARAMETERS],
    },
    report: {
      figure: "xu-table-6",
      claims: [
        "More bins need more warps, collision-reduced",
        "The paper's parameters are the best: throughput with them over our best, collision-reduced",
      ],
    },
  },
  {
    where: "6.2.5, Table 6",
    kind: "claim",
    says: "The best N_warp of the collision method is 2 up to 512 bins and 4 for 1024.",
    code: {
      slug: "weighted-collision",
      constants: { COLLISION_WARPS: 2, COLLISION_WARPS_WIDE: 4, TABLE_6_BINS_3: 512 },
      at: [PARAMETERS],
    },
    report: {
      figure: "xu-table-6",
      claims: [
        "1,024 bins over 128, collision",
        "The paper's parameters are the best: throughput with them over our best, collision",
      ],
    },
  },
  {
    where: "Table 6",
    kind: "claim",
    says: "The occupancy of the collision-reduced method is 33.3 % for 128 and 256 bins, 75 % for 512 and 25 % for 1024.",
    code: { slug: "weighted-collision-reduced", at: [COUNTERS] },
    report: { figure: "xu-table-6", claims: ["The number of bins with the highest occupancy"] },
  },
  {
    where: "6.3, Table 7",
    kind: "claim",
    says: "The hybrid's throughput falls from 125 GB/s for 2 bins to 9.4 GB/s for the most, with 18 for 128 and 14 for 256 bins.",
    code: { slug: "weighted-hybrid", at: [PAPER_SUITE] },
    report: {
      figure: "xu-table-7",
      claims: ["More bins are slower", "2 bins over 1,024", "128 bins over 256, where the method changes"],
    },
  },
  {
    where: "Table 7",
    kind: "claim",
    says: "58% of the features have the most bins, 15.4% have 128, and 6.9% have 2. The last column says 1204.",
    code: {
      at: ["benchmarks/papers/xu/table-7.ts#mixed"],
      differs: "The column means 1,024. The features are not public, so ours have the same shares of bins.",
    },
    report: { figure: "xu-table-7", panels: ["mix"] },
  },
  {
    where: "Abstract, 6.3",
    kind: "claim",
    says: "On the real data set the hybrid reaches 13 GB/s, 13x the 0.95 GB/s of one CPU thread.",
    code: { slug: "weighted-hybrid", at: ["benchmarks/papers/xu/table-7.ts#mixed"] },
    report: { figure: "xu-table-7", claims: ["The GPU over one thread of the CPU"] },
  },
  {
    where: "Conclusion",
    kind: "claim",
    says: "The new method shows 2x speedup over the traditional method on the data of a commercial search engine.",
    code: { slug: "weighted-collision-reduced", at: [PAPER_SUITE] },
    report: {
      figure: "xu-figure-11",
      claims: ["Features of different kinds: collision-reduced over collision"],
    },
  },
];
