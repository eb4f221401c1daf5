import { byPaper, type Statement } from "../statement.ts";

const PAPER_SUITE = "benchmarks/src/suites/weighted-paper.ts#weightedPaper";
const SHAPES = "benchmarks/src/suites/weighted-paper.ts#weightedShapes";
const COUNTERS = "benchmarks/src/suites/weighted-counters.ts";
const CPU = "benchmarks/src/suites/papers-cpu.ts";

/** The claims of Xu et al. about their data, the CPU, and the method for few bins. */
export const fewBins: readonly Statement[] = [
  {
    where: "2.1, 3",
    kind: "claim",
    says: "The histogram calculation costs above 50% of the training time, in Sharp's work 96% on a GPU and 53% on a CPU.",
    code: { at: ["docs/examples/lambdamart/tree.js"] },
    report: byPaper("The paper cites other work and has no experiment."),
  },
  {
    where: "5.2",
    kind: "claim",
    says: "98.3 GB/s of data throughput equals 49.2 Gdoc/s for features of half a byte.",
    code: {
      at: ["benchmarks/papers/xu/cpu.ts#VALUE_BYTES"],
      differs: "By the paper's own Table 3, they are twice 98.3 and not half of it.",
    },
    report: { figure: "xu-table-3", panels: ["conversion"] },
  },
  {
    where: "5.3, Table 4",
    kind: "claim",
    says: "One CPU thread processes 0.49, 1.43 and 1.25 Gdoc/s of 0.5, 1 and 2 bytes per value, or 0.25, 1.43 and 2.50 GB/s. The text gives 0.28, 0.25 and 0.3.",
    code: { slug: "weighted-sequential", at: [CPU] },
    report: {
      figure: "xu-table-4",
      claims: ["Half bytes over bytes", "Two bytes over bytes", "GB/s by bytes per value, the highest first"],
    },
  },
  {
    where: "5.3",
    kind: "claim",
    says: "A multi-core CPU version can achieve linear speedups.",
    code: { slug: "weighted-fixed-point", at: [CPU] },
    report: { figure: "xu-table-4", claims: ["Throughput is linear in threads"] },
  },
  {
    where: "6.1.1, Figure 4",
    kind: "claim",
    says: "With 64 bins, loop unrolling brings up to 2.2x speedup.",
    code: { slug: "weighted-collision-free", set: { unroll: 16 }, at: [PAPER_SUITE] },
    report: { figure: "xu-figure-4", claims: ["Unrolling is faster", "The best N_unroll"] },
  },
  {
    where: "6.1.1, Figure 4",
    kind: "claim",
    says: "Over-unrolling, when N_unroll is 32, spills registers and is slower.",
    code: { slug: "weighted-collision-free", set: { unroll: 32 }, at: [PAPER_SUITE] },
    report: { figure: "xu-figure-4", claims: ["Too much unrolling spills registers and is slower"] },
  },
  {
    where: "6.1.1, Figure 5",
    kind: "claim",
    says: "The pipeline becomes saturated when there are more than 100k documents.",
    code: { slug: "weighted-collision-free", set: { unroll: 16 }, at: [SHAPES] },
    report: {
      figure: "xu-figure-5",
      claims: ["The device is full from 100k documents on", "More documents are faster"],
    },
  },
  {
    where: "6.1.1, Figure 6",
    kind: "claim",
    says: "The pipeline becomes saturated when there are more than 1k features.",
    code: { slug: "weighted-collision-free", set: { unroll: 16 }, at: [SHAPES] },
    report: {
      figure: "xu-figure-6",
      claims: ["The device is full from 1k features on", "More features are faster"],
    },
  },
  {
    where: "6.1.2, Figure 7",
    kind: "claim",
    says: "With fewer bins the achieved memory throughput approaches 144 GB/s, that of a memory copy kernel.",
    code: { slug: "weighted-collision-free", at: [COUNTERS] },
    report: {
      figure: "xu-figure-7",
      claims: ["With few bins the achieved memory throughput is that of a plain copy, in % of it"],
    },
  },
  {
    where: "6.1.2, Figure 7",
    kind: "claim",
    says: "The collision-free method gets slower with more bins, from 125 GB/s for 2 bins to 18 GB/s for 128.",
    code: { slug: "weighted-collision-free", at: [PAPER_SUITE] },
    report: {
      figure: "xu-figure-7",
      claims: ["More bins are slower", "2 bins over 128", "2 bins over 16", "64 bins over 128"],
    },
  },
  {
    where: "6.1.2, Table 5",
    kind: "claim",
    says: "The best N_unroll is 1, 2 and 4 for 2, 4 and 8 bins, and 16 from 16 to 128 bins.",
    code: {
      slug: "weighted-collision-free",
      constants: { UNROLL: 16, UNROLL_BINS: 16 },
      at: ["packages/core/src/algorithms/weighted-collision-free.ts#unrollFor"],
    },
    report: {
      figure: "xu-table-5",
      claims: ["More bins need more unrolling", "Few bins need little unrolling: 128 bins over 2"],
    },
  },
  {
    where: "6.1.2, Table 5",
    kind: "claim",
    says: "A thread has 19, 21 and 29 registers for 2, 4 and 8 bins, and 63 from 16 bins on. Unrolling takes more registers.",
    code: { slug: "weighted-collision-free", at: [COUNTERS] },
    report: { figure: "xu-table-5", claims: ["More bins and more unrolling take more registers"] },
  },
  {
    where: "6.1.2, Table 5",
    kind: "claim",
    says: "Registers limit the occupancy for 2 and 4 bins, and shared memory from 8 bins on.",
    code: { slug: "weighted-collision-free", at: [COUNTERS] },
    report: {
      figure: "xu-table-5",
      claims: ["The lowest number of bins at which shared memory limits occupancy"],
    },
  },
  {
    where: "6.1.1",
    kind: "claim",
    says: "With 64 bins a multiprocessor accommodates 4 warps, a theoretical occupancy of 8.3%.",
    code: { slug: "weighted-collision-free", at: [COUNTERS] },
    report: { figure: "xu-table-5", panels: ["shared", "limiter"] },
  },
  {
    where: "6.1.1, Table 5",
    kind: "claim",
    says: "A warp takes 384 bytes of shared memory for 2 bins, 12kB for 64 and 24k for 128.",
    code: { slug: "weighted-collision-free", at: ["benchmarks/papers/xu/table-5.ts#bytesAWarp"] },
    report: { figure: "xu-table-5", claims: ["Shared memory per warp by bins"] },
  },
  {
    where: "5.1",
    kind: "claim",
    says: "A test kernel of the CUDA SDK achieves 142 GB/s of the bandwidth of 192 GB/s.",
    code: { at: ["benchmarks/papers/xu/table-2.ts#readOf"] },
    report: { figure: "xu-table-2", claims: ["A simple kernel's share of the bandwidth"] },
  },
  {
    where: "5.1, Table 2",
    kind: "claim",
    says: "The GTX 580 has 16 multiprocessors with 48kB of shared memory and 1536 threads each, and 192 GB/s.",
    code: { at: ["packages/core/src/base/device.ts#DeviceLimits"] },
    report: { figure: "xu-table-2", panels: ["device"] },
  },
];
