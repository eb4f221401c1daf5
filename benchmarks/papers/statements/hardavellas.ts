import { byHardware, byPaper, type Statement } from "./statement.ts";

const BANK_OWNED = "packages/cuda/src/kernels/bank-owned/kernel.cu";
const PER_BLOCK = "packages/cuda/src/kernels/per-block/kernel.cu";
const NO_NUMBER = byPaper("The slides describe it without a measurement.");

/** Hardavellas' course slides. */
export const statements: readonly Statement[] = [
  {
    where: "A Histogram Example",
    kind: "claim",
    says: "“Programming Massively Parallel Processors” has A(4), C(1), E(1) and G(1).",
    code: {
      slug: "sequential",
      at: ["benchmarks/test/papers/statements.test.ts#Programming Massively Parallel Processors"],
      differs: "The words have three E and two G. The slides abbreviate the example.",
    },
    report: NO_NUMBER,
  },
  {
    where: "Sequential Algorithm",
    kind: "method",
    says: "One loop increments `result[data[i]]`. Its write access pattern depends on the data.",
    code: { slug: "sequential", at: ["packages/core/src/cpu/oracle.ts#countSequential"] },
    report: NO_NUMBER,
  },
  {
    where: "Data Race",
    kind: "claim",
    says: "Two threads that increment X = 10 without synchronization may leave 11 instead of 12.",
    code: { at: ["packages/conformance/src/cases/properties.ts", `${PER_BLOCK}#atomicAdd`] },
    report: NO_NUMBER,
  },
  {
    where: "Privatization",
    kind: "method",
    says: "Threads work on private data that is merged later. The operation must be commutative and associative.",
    code: {
      slug: "weighted-fixed-point",
      at: ["packages/core/src/weights/scale.ts#scaledWeights"],
      differs: "Additions of floats are not associative, so polybin adds integers by default.",
    },
    report: NO_NUMBER,
  },
  {
    where: "Parallel Strategy, Sub-Histograms",
    kind: "method",
    says: "A histogram per thread has no races. At 1KB per histogram, 48KB of shared memory hold only 1 warp.",
    code: {
      slug: "per-thread",
      at: ["packages/cuda/src/kernels/per-thread/kernel.cu#countPerThread"],
      differs: "Counters of 16 bits halve the memory, as Nugteren et al. have it.",
    },
    report: {
      figure: "hardavellas-arrangements",
      claims: [
        "One histogram per thread is free of conflicts: it does not depend on the data",
        "One histogram per thread has a low occupancy: threads over those of one per block",
      ],
    },
  },
  {
    where: "Algorithm Overview",
    kind: "method",
    says: "A histogram per block in shared memory is cleared, updated with atomics, and added to the global histogram.",
    code: { slug: "per-block", at: [`${PER_BLOCK}#addCount`] },
    report: { figure: "hardavellas-arrangements", panels: ["throughput"] },
  },
  {
    where: "Clear partial histogram buffer",
    kind: "variant",
    says: "Threads step over the bins by blockDim.x, so any number of threads clears them all.",
    code: { at: ["packages/cuda/native/kernels/codes.cuh#clearShared"] },
    report: NO_NUMBER,
  },
  {
    where: "Generate partial histogram",
    kind: "variant",
    says: "A thread reads four pixels per load of a word, and neighbouring threads read neighbouring words.",
    code: { slug: "per-block", at: ["packages/cuda/native/kernels/codes.cuh#eachWord"] },
    report: NO_NUMBER,
  },
  {
    where: "Merge partial histogram with global histogram",
    kind: "variant",
    says: "Each block adds its bins to the global histogram with atomicAdd.",
    code: { slug: "per-block", at: ["packages/cuda/native/kernels/codes.cuh#addCount"] },
    report: NO_NUMBER,
  },
  {
    where: "Should you use Add or Inc???",
    kind: "variant",
    says: "atomicInc could count, too, but has a more complex structure than atomicAdd.",
    code: { slug: "per-block", at: [`${PER_BLOCK}#atomicAdd`] },
    report: byPaper("The slides prefer atomicAdd and give no number."),
  },
  {
    where: "Atomic Operations on DRAM",
    kind: "claim",
    says: "An atomic operation reads and writes with a latency of a few hundred cycles each.",
    code: { slug: "global", at: ["packages/cuda/src/kernels/global/kernel.cu#atomicAdd"] },
    report: byHardware(
      "Today's atomics run in the level-2 cache, and the slides themselves say that latencies have improved.",
    ),
  },
  {
    where: "What do we have control over?",
    kind: "variant",
    says: "The data could lie in constant memory instead of global memory.",
    code: byHardware(
      "Constant memory has 64 KiB and serves one address at a time, so threads that read different words wait.",
    ),
    report: NO_NUMBER,
  },
  {
    where: "Discussion",
    kind: "claim",
    says: "Conflicts in shared memory depend on the data. 32-way conflicts are possible and likely.",
    code: { slug: "per-block", at: ["benchmarks/src/suites/hardavellas.ts#hardavellas"] },
    report: {
      figure: "hardavellas-arrangements",
      claims: ["One histogram per block meets in 32-way conflicts: zeros over uniform bytes"],
    },
  },
  {
    where: "Discussion",
    kind: "method",
    says: "All threads read a tile in shared memory. Each thread updates only the bins that map to its bank.",
    code: { slug: "bank-owned", constants: { TILE_WORDS: 1024 }, at: [`${BANK_OWNED}#countBankOwned`] },
    report: {
      figure: "hardavellas-arrangements",
      claims: [
        "One part of the histogram per bank has no conflicts: it does not depend on the data",
        "One part per bank must read the input 32 times: instructions over one histogram per block",
      ],
    },
  },
  {
    where: "Discussion, the tile",
    kind: "variant",
    says: "In cycle i a thread reads tile[ (i+threadID) % 32], so that threads read from different banks.",
    code: { slug: "bank-owned", at: [`${BANK_OWNED}#(i + thread) % THREADS`] },
    report: { figure: "hardavellas-arrangements", panels: ["throughput"] },
  },
];
