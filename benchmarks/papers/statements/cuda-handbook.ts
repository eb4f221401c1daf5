import { byHardware, byPaper, type Statement } from "./statement.ts";

const PRIVATIZED = "packages/cuda/src/kernels/privatized/kernel.cu";
const FORK_JOIN = "packages/core/src/multithreaded/fork-join.ts";
const LOST = byPaper("The excerpt lacks the section Performance with all its numbers.");

/** The CUDA Handbook's histogram chapter. */
export const statements: readonly Statement[] = [
  {
    where: "One Global Histogram—and Contention",
    kind: "method",
    says: "All threads of the grid update one histogram in global memory with atomics.",
    code: { slug: "global", at: ["packages/cuda/src/kernels/global/kernel.cu#atomicAdd"] },
    report: { figure: "cuda-handbook-comparison", panels: ["distributions"] },
  },
  {
    where: "Per-Block Histograms",
    kind: "method",
    says: "Each block updates one histogram in shared memory with atomics, then adds it to the global one.",
    code: { slug: "per-block", at: ["packages/cuda/src/kernels/per-block/kernel.cu#addCount"] },
    report: { figure: "cuda-handbook-comparison", panels: ["distributions"] },
  },
  {
    where: "Privatized (Per Thread) Histograms",
    kind: "method",
    says: "On a multicore CPU, M threads count M chunks, with one histogram for each. A fork/join idiom combines them.",
    code: {
      slug: "multithreaded",
      at: [`${FORK_JOIN}#forkJoin`, "packages/piscina/src/kernels/per-thread/kernel.as.ts"],
    },
    report: { figure: "cuda-handbook-cpu-scaling", panels: ["throughput"] },
  },
  {
    where: "Privatized (Per Thread) Histograms",
    kind: "method",
    says: "On the GPU, each thread has one histogram of 8-bit elements in shared memory.",
    code: { slug: "privatized", at: [`${PRIVATIZED}#countPrivatized`] },
    report: { figure: "cuda-handbook-comparison", panels: ["distributions"] },
  },
  {
    where: "Privatized (Per Thread) Histograms",
    kind: "parameter",
    says: "A block of 64 threads uses 256*64=16,384 bytes of shared memory.",
    code: { slug: "privatized", constants: { PRIVATIZED_THREADS: 64, PRIVATIZED_BINS: 256 } },
    report: { figure: "cuda-handbook-layouts", panels: ["uniform", "zeros"] },
  },
  {
    where: "Privatized (Per Thread) Histograms",
    kind: "claim",
    says: "SM 1.x reserves 256 bytes of its 16KB, so such a block does not fit. SM 2.0 is limited to 3 blocks.",
    code: { slug: "privatized", at: ["packages/core/src/algorithms/lib/shared.ts#tooLittleShared"] },
    report: byHardware(
      "CUDA 13 compiles for compute capability 7.5 and newer, whose multiprocessors fit more blocks.",
    ),
  },
  {
    where: "Privatized (Per Thread) Histograms",
    kind: "claim",
    says: "The multithreaded CPU version runs at 4.0 Gpix/s on two quad-core processors, 4.4x as fast as one thread.",
    code: { slug: "multithreaded", at: ["benchmarks/src/suites/papers-cpu.ts"] },
    report: { figure: "cuda-handbook-cpu-scaling", claims: ["All threads over one"] },
  },
  {
    where: "Privatized (Per Thread) Histograms",
    kind: "claim",
    says: "For sufficiently large N, performance should scale linearly in the number of CPU cores.",
    code: { slug: "multithreaded", at: ["benchmarks/src/suites/papers-cpu.ts"] },
    report: {
      figure: "cuda-handbook-cpu-scaling",
      claims: ["Linear in cores for enough data", "Linear in cores on a pool"],
    },
  },
  {
    where: "Privatized (Per Thread) Histograms",
    kind: "claim",
    says: "On multicore CPUs one histogram per thread is the only viable way, because atomic additions are so expensive.",
    code: {
      slug: "per-thread",
      at: [
        "packages/piscina/src/kernels/per-thread/kernel.as.ts",
        "packages/piscina/src/kernels/global/index.ts",
      ],
    },
    report: byPaper("The paper gives no number for atomic additions on a CPU."),
  },
  {
    where: "Privatized (Per Thread) Histograms",
    kind: "claim",
    says: "Per-block and per-grid histograms lose an order of magnitude of performance on degenerate inputs.",
    code: { at: ["benchmarks/src/suites/algorithms.ts#algorithms"] },
    report: {
      figure: "cuda-handbook-comparison",
      claims: [
        "Global atomics lose an order of magnitude on degenerate data: uniform over zeros",
        "Shared atomics lose an order of magnitude on degenerate data: uniform over zeros",
      ],
    },
  },
  {
    where: "Privatized (Per Thread) Histograms",
    kind: "claim",
    says: "The goal is performance that depends less on the data, for which many applications would give up some performance.",
    code: { slug: "privatized" },
    report: {
      figure: "cuda-handbook-comparison",
      claims: [
        "Privatized histograms depend less on the data than one histogram per block",
        "One histogram per thread is slower than one per block on scattered data",
      ],
    },
  },
  {
    where: "Figure 4",
    kind: "variant",
    says: "One histogram per row: each thread operates on its own row of bytes.",
    code: { slug: "privatized", set: { layout: "row" }, at: [`${PRIVATIZED}#Layout::row`] },
    report: {
      figure: "cuda-handbook-layouts",
      claims: ["Interleaved bytes in words (Figure 6) are faster than a row of bytes"],
    },
  },
  {
    where: "Figure 5",
    kind: "variant",
    says: "One histogram element per row: each thread operates on its own column of bytes.",
    code: { slug: "privatized", set: { layout: "column" }, at: [`${PRIVATIZED}#Layout::column`] },
    report: {
      figure: "cuda-handbook-layouts",
      claims: ["Interleaved bytes in words (Figure 6) are faster than a column of bytes"],
    },
  },
  {
    where: "Figure 6, Listing 5",
    kind: "variant",
    says: "64 rows of words interleave four packed 8-bit counters per thread. An increment is one addition of 1<<8*(pixval&3).",
    code: { slug: "privatized", set: { layout: "interleaved" }, at: [`${PRIVATIZED}#increment`] },
    report: { figure: "cuda-handbook-layouts", panels: ["uniform", "zeros"] },
  },
  {
    where: "Layout Considerations",
    kind: "claim",
    says: "The layouts of Figure 4 and 5 suffer from 8-bit operands in shared memory.",
    code: { slug: "privatized", at: ["benchmarks/src/suites/algorithms.ts#layout"] },
    report: {
      figure: "cuda-handbook-layouts",
      claims: [
        "Interleaved bytes in words (Figure 6) are faster than a row of bytes",
        "Interleaved bytes in words (Figure 6) are faster than a column of bytes",
      ],
    },
  },
  {
    where: "Layout Considerations",
    kind: "claim",
    says: "On degenerate data the interleaved layout minimizes bank conflicts, because threads access adjacent words.",
    code: { slug: "privatized", at: ["benchmarks/src/suites/algorithms.ts#layout"] },
    report: {
      figure: "cuda-handbook-layouts",
      claims: ["Neighbouring words separate degenerate data: interleaved over a row of bytes"],
    },
  },
  {
    where: "Listing 6",
    kind: "variant",
    says: "Four 8-bit sums are split into two pairs of 16-bit sums. Up to 256 of them can be added before they overflow.",
    code: { slug: "privatized", at: [`${PRIVATIZED}#even`] },
    report: byPaper("The paper describes it without a measurement of its own."),
  },
  {
    where: "Listing 7",
    kind: "variant",
    says: "Each thread sums one row of words in a loop and starts at its own column. The block performs exactly 256 atomic operations.",
    code: { slug: "privatized", set: { reduce: "atomic" }, at: [`${PRIVATIZED}#merge`] },
    report: byPaper("The paper describes it without a measurement of its own."),
  },
  {
    where: "Block-Wide Reduction",
    kind: "variant",
    says: "A myriad of ways are available to add the reduction to the global memory output.",
    code: {
      slug: "privatized",
      set: { reduce: "tables" },
      at: ["packages/cuda/native/kernels/merge.cu#mergeTables"],
      differs: "With this value blocks write tables that a second kernel merges, as the other papers do.",
    },
    report: byPaper("The paper describes no other way than its listing."),
  },
  {
    where: "Block-Wide Reduction",
    kind: "variant",
    says: "All threads could reduce one row after another, but that would not be work-efficient.",
    code: byPaper("The paper rejects it without a listing."),
    report: byPaper("The paper rejects it without a number."),
  },
  {
    where: "Managing Overflow",
    kind: "variant",
    says: "An overflow check after incrementing the element fires an atomic into shared memory.",
    code: {
      slug: "privatized",
      set: { merge: "check-shared" },
      constants: { PRIVATIZED_SPILL: 128 },
      at: [`${PRIVATIZED}#spills`],
    },
    report: { figure: "cuda-handbook-layouts", panels: ["uniform", "zeros"] },
  },
  {
    where: "Managing Overflow",
    kind: "variant",
    says: "An overflow check after incrementing the element fires an atomic into global memory.",
    code: { slug: "privatized", set: { merge: "check-global" }, at: [`${PRIVATIZED}#spill`] },
    report: { figure: "cuda-handbook-layouts", panels: ["uniform", "zeros"] },
  },
  {
    where: "Managing Overflow",
    kind: "claim",
    says: "Checking for overflow for every input element turned out to be too slow.",
    code: { slug: "privatized", at: ["benchmarks/src/suites/algorithms.ts#algorithms"] },
    report: {
      figure: "cuda-handbook-layouts",
      claims: [
        "Checking every increment for overflow is slower than periodic merging (atomics into shared memory)",
        "Checking every increment for overflow is slower than periodic merging (atomics into global memory)",
      ],
    },
  },
  {
    where: "Managing Overflow",
    kind: "variant",
    says: "Overflow avoidance launches w*h / (numthreads*255) blocks, so that no thread considers more than 255 elements.",
    code: {
      slug: "privatized",
      set: { merge: "avoid" },
      constants: { TRISH_WORDS: 63 },
      at: ["packages/core/src/algorithms/privatized.ts#merge"],
      differs: "A thread takes 63 words of four, as the Handbook's unrolled form with 255/4 does.",
    },
    report: { figure: "cuda-handbook-layouts", panels: ["uniform", "zeros"] },
  },
  {
    where: "Managing Overflow, Listing 8",
    kind: "variant",
    says: "Periodic merging adds the histograms to the output every 252/4 iterations and zeroes them.",
    code: {
      slug: "privatized",
      set: { merge: "periodic" },
      at: [`${PRIVATIZED}#periodic`],
      differs:
        "The listing lacks a barrier after the merge, has one in a loop that some threads leave earlier, and drops the last N % 4 elements. The kernel does not.",
    },
    report: { figure: "cuda-handbook-layouts", panels: ["uniform", "zeros"] },
  },
  {
    where: "Managing Overflow",
    kind: "claim",
    says: "Periodic merging is measurably faster than avoiding overflow by more blocks.",
    code: { slug: "privatized", at: ["benchmarks/src/suites/algorithms.ts#merge"] },
    report: {
      figure: "cuda-handbook-layouts",
      claims: ["Periodic merging is faster than launching enough blocks to avoid overflow"],
    },
  },
  {
    where: "Privatized (Per Thread) Histograms",
    kind: "claim",
    says: "Because shared memory limits occupancy, threads can use many registers without reducing it further.",
    code: { at: ["packages/core/src/algorithms/lib/shared.ts#blocksThatFill"] },
    report: byPaper("The paper gives no number of registers."),
  },
  {
    where: "Performance",
    kind: "claim",
    says: "The section compares the kernels.",
    code: { at: ["benchmarks/src/suites/algorithms.ts#algorithms"] },
    report: LOST,
  },
];
