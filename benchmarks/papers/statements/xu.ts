import { byHardware, byPaper, type Statement } from "./statement.ts";

const FREE = "packages/cuda/src/kernels/weighted-collision-free/kernel.cu";
const COLLISION = "packages/cuda/src/kernels/weighted-collision/kernel.cu";
const REDUCED = "packages/cuda/src/kernels/weighted-collision-reduced/kernel.cu";
const SEGMENT = "packages/cuda/native/kernels/segment.cuh";
const TABLE = "packages/core/src/engine/table/table.ts";
const SUMMING = "packages/core/src/engine/table/summing.ts";
const SUITE = "benchmarks/src/suites/weighted-paper.ts";

const CITED = byPaper("The paper only cites it, and does not describe a kernel.");
const UNMEASURED = byPaper("The paper only cites it, and does not measure it.");
const NO_NUMBER = byPaper("The paper describes it without a measurement of its own.");

/** The methods, variants and parameters of Xu et al. */
export const methods: readonly Statement[] = [
  {
    where: "2.1",
    kind: "method",
    says: "LambdaMART needs histograms of all features, unweighted and weighted by λ. Only λ changes from tree to tree.",
    code: { at: [`${TABLE}#FeatureTable`, "docs/lambdamart-example/tree.js"] },
    report: { figure: "xu-table-7", panels: ["throughput"] },
  },
  {
    where: "2.1",
    kind: "parameter",
    says: "The values of a feature range from 2 to 1024 bins.",
    code: {
      constants: { FEATURE_BINS_MIN: 2 },
      at: [`${SUITE}#BINS`, "packages/core/src/input/limits.ts#FEATURE_BINS_MIN"],
    },
    report: { figure: "xu-table-7", panels: ["throughput"] },
  },
  {
    where: "2.1, 5.2",
    kind: "variant",
    says: "Feature values stay on the GPU and are read many times. The transfer of λ is not part of the measured time.",
    code: { at: [`${TABLE}#FeatureTable`, "benchmarks/src/runner/sums.ts#LoadedTable"] },
    report: { figure: "xu-table-7", panels: ["throughput"] },
  },
  {
    where: "2.1",
    kind: "variant",
    says: "Each bin has an integer counter and a floating-point weight.",
    code: {
      slug: "weighted-collision-free",
      at: ["packages/core/src/algorithms/lib/weighted-shared.ts#cellBytes"],
      differs: "The precision `fast` adds floats as in the paper. By default, weights become integers.",
    },
    report: { figure: "xu-figure-9", panels: ["sigma"] },
  },
  {
    where: "3",
    kind: "method",
    says: "Shams and Kennedy simulate a mutex in software, for GPUs of compute capability 1.0.",
    code: byHardware(
      "Every GPU that CUDA 13 supports has atomics in shared memory, so nothing needs the mutex.",
    ),
    report: UNMEASURED,
  },
  {
    where: "3",
    kind: "method",
    says: "Shams and Kennedy also fit the size of bin counters to the number of bins, so that threads need not collide.",
    code: CITED,
    report: UNMEASURED,
  },
  {
    where: "3",
    kind: "method",
    says: "Brosh and Tam adapt the bin size to the distribution of the data, which is calculated in the first time.",
    code: CITED,
    report: UNMEASURED,
  },
  {
    where: "3",
    kind: "method",
    says: "Nugteren shuffles the input through global memory, so that neighbouring pixels collide less.",
    code: CITED,
    report: UNMEASURED,
  },
  {
    where: "3",
    kind: "method",
    says: "Nugteren compares four collision-free 256-bin mappings of the histogram on shared memory.",
    code: {
      slug: "per-thread",
      at: ["packages/cuda/src/kernels/per-thread/kernel.cu#COLUMNS"],
      differs: "The kernel has the mapping that Brown & Snoeyink describe. The others are only cited.",
    },
    report: UNMEASURED,
  },
  {
    where: "Algorithm 1",
    kind: "method",
    says: "The serial calculation adds 1 and λ to the bin of each document of each feature.",
    code: {
      slug: "weighted-sequential",
      at: ["packages/core/src/algorithms/references/weighted-sequential.ts#reference"],
    },
    report: { figure: "xu-table-4", panels: ["documents"] },
  },
  {
    where: "4.1",
    kind: "method",
    says: "Threads could update bin counters in global memory directly, with a dramatic decrease in throughput.",
    code: {
      slug: "global",
      at: ["packages/cuda/src/kernels/global/kernel.cu#atomicAdd"],
      differs: "The kernel counts without weights. The paper has no weighted one either.",
    },
    report: { figure: "cuda-handbook-comparison", panels: ["distributions"] },
  },
  {
    where: "4.2.1, Figure 1",
    kind: "method",
    says: "Collision-free: each thread has its own histogram in shared memory, and a block processes one feature.",
    code: { slug: "weighted-collision-free", at: [`${FREE}#sumCollisionFree`] },
    report: { figure: "xu-figure-7", panels: ["throughput"] },
  },
  {
    where: "4.2.1",
    kind: "parameter",
    says: "A counter is an unsigned short, so a thread takes 6 bytes per bin. Bins times active threads are at most 8k.",
    code: {
      slug: "weighted-collision-free",
      at: ["packages/core/src/algorithms/weighted-collision-free.ts#pairBytes", `${FREE}#pairs_`],
    },
    report: { figure: "xu-table-5", claims: ["Shared memory per warp by bins"] },
  },
  {
    where: "4.2.1",
    kind: "variant",
    says: "Threads sum the histograms in a staggered way. Bank conflicts disappear, without an appreciable improvement.",
    code: { slug: "weighted-collision-free", at: [`${FREE}#pair % steps`] },
    report: byPaper(
      "The paper gives no number, and says that the sums take far less time than reading the values.",
    ),
  },
  {
    where: "4.2.2",
    kind: "variant",
    says: "If there are too few features, the documents are divided into segments, whose histograms are merged.",
    code: {
      at: [`${SEGMENT}#segmentDocuments`, "packages/core/src/plan/weighted-plan.ts#segmentDocuments"],
    },
    report: { figure: "xu-figure-6", panels: ["features"] },
  },
  {
    where: "4.2.3",
    kind: "parameter",
    says: "N_unroll is the degree of manual loop unrolling, between 1 and 32.",
    code: {
      slug: "weighted-collision-free",
      set: { unroll: 32 },
      constants: { UNROLL_MAX: 32 },
      at: [`${SEGMENT}#forUnroll`],
    },
    report: { figure: "xu-figure-4", panels: ["unroll"] },
  },
  {
    where: "4.2.3",
    kind: "variant",
    says: "Padding of the input data allows the unrolled loop to read without range checks.",
    code: {
      at: [`${SEGMENT}#noValue`],
      differs: "The kernel does not pad. Documents past the end become a value in no bin.",
    },
    report: NO_NUMBER,
  },
  {
    where: "4.3, Figure 2",
    kind: "method",
    says: "Collision: all threads of a block fill one histogram in shared memory with atomics.",
    code: { slug: "weighted-collision", at: [`${COLLISION}#sumCollision`] },
    report: { figure: "xu-figure-9", panels: ["sigma"] },
  },
  {
    where: "4.3",
    kind: "parameter",
    says: "The collision method also unrolls, by N_unroll.",
    code: { slug: "weighted-collision", set: { unroll: 1 }, at: [`${SEGMENT}#forUnroll`] },
    report: { figure: "xu-figure-8", panels: ["tuning"] },
  },
  {
    where: "6.2.1",
    kind: "parameter",
    says: "The collision method has N_warp warps per block, 8 in the tuning for 1024 bins.",
    code: { slug: "weighted-collision", set: { warps: 8 } },
    report: { figure: "xu-figure-8", claims: ["The best N_warp without unrolling"] },
  },
  {
    where: "4.4.1, Figure 3, Algorithm 2",
    kind: "method",
    says: "Collision-reduced: each thread gathers documents in a buffer where equal values become one, then adds the buffer.",
    code: { slug: "weighted-collision-reduced", at: [`${REDUCED}#Buffer`, `${REDUCED}#sumCollisionReduced`] },
    report: { figure: "xu-figure-9", panels: ["sigma"] },
  },
  {
    where: "4.4.1, 6.2.2",
    kind: "parameter",
    says: "N_buffer is the length of a thread's buffer, and the number of documents between two flushes. It is 10 for 1024 bins.",
    code: {
      slug: "weighted-collision-reduced",
      set: { buffer: 10 },
      constants: { REDUCED_BUFFER_WIDE: 10 },
      at: [`${REDUCED}#own.buffer`],
    },
    report: { figure: "xu-table-6", panels: ["buffer"] },
  },
  {
    where: "6.2.2",
    kind: "parameter",
    says: "The collision-reduced method has N_warp = 6 warps per block for 1024 bins.",
    code: { slug: "weighted-collision-reduced", set: { warps: 6 }, constants: { REDUCED_WARPS_WIDE: 6 } },
    report: { figure: "xu-table-6", panels: ["warps"] },
  },
  {
    where: "4.4.1",
    kind: "variant",
    says: "The place in the buffer is (key % N_buffer + thread) % N_buffer. If it holds another key, linear probing adds 1.",
    code: { slug: "weighted-collision-reduced", at: [`${REDUCED}#gather`] },
    report: NO_NUMBER,
  },
  {
    where: "4.4.1, Figure 3",
    kind: "variant",
    says: "A unit of 4 Bytes holds the value and its count in two 2-Byte fields. A second buffer holds λ.",
    code: {
      slug: "weighted-collision-reduced",
      constants: { BUFFER_VALUE_SHIFT: 16 },
      at: [`${REDUCED}#units_`],
    },
    report: NO_NUMBER,
  },
  {
    where: "Algorithm 2, lines 15 and 28",
    kind: "variant",
    says: "Line 28 stores the λ of a key that is already in the buffer. Line 15 masks the count with 0xFF.",
    code: {
      slug: "weighted-collision-reduced",
      constants: { BUFFER_MAX: 64 },
      at: [`${REDUCED}#*sum += weight`],
      differs:
        "The kernel adds λ, as the text says. A buffer has at most 64 units, so a count fits the mask.",
    },
    report: NO_NUMBER,
  },
  {
    where: "4.4.2",
    kind: "variant",
    says: "Zeros are skipped when updating the histogram. Their total follows from the number of documents.",
    code: {
      at: [`${SUMMING}#mostFrequent`, `${SEGMENT}#skip`],
      differs: "The option `skip` finds each feature's most frequent value, which need not be zero.",
    },
    report: { figure: "xu-figure-11", panels: ["bins", "zeros"] },
  },
  {
    where: "4.5, Table 1",
    kind: "method",
    says: "Hybrid: few bins take the collision-free method. For many bins, the running time in the first round chooses between the other two.",
    code: {
      slug: "weighted-hybrid",
      at: ["packages/core/src/algorithms/lib/hybrid-choice.ts#choiceOf", `${SUMMING}#HybridKind`],
    },
    report: { figure: "xu-table-7", panels: ["method"] },
  },
  {
    where: "4.5",
    kind: "parameter",
    says: "Each of the hybrid's methods keeps its own configuration, since several kernels are built.",
    code: { slug: "weighted-hybrid", set: { unroll: 16, warps: 4, buffer: 10 } },
    report: { figure: "xu-table-7", panels: ["throughput"] },
  },
  {
    where: "4.5, 6.3",
    kind: "parameter",
    says: "The boundary between few and many bins is defined by experiment. It is 128 in Table 7.",
    code: { slug: "weighted-hybrid", constants: { SMALL_BINS: 128 } },
    report: { figure: "xu-table-7", claims: ["The largest number of bins for the collision-free method"] },
  },
  {
    where: "5.2, Table 3",
    kind: "parameter",
    says: "A value takes 0.5, 1 or 2 bytes, so 1 GB/s of data are 2, 1 or 0.5 Gdoc/s.",
    code: {
      at: ["packages/core/src/input/value-types.ts#rowBytes", "benchmarks/src/data/feature-rows.ts#typeFor"],
    },
    report: { figure: "xu-table-4", panels: ["documents"] },
  },
  {
    where: "5.2",
    kind: "parameter",
    says: "Data throughput counts the bytes of all feature values and not those of λ, which is read once per feature.",
    code: { at: ["benchmarks/src/runner/sums.ts#LoadedTable"] },
    report: { figure: "xu-table-7", panels: ["throughput"] },
  },
  {
    where: "5.4, 6.2.3",
    kind: "parameter",
    says: "Values follow a normal distribution with mean 512 and a changeable standard deviation.",
    code: { at: ["benchmarks/src/data/feature-rows.ts#normalRow"] },
    report: { figure: "xu-figure-9", panels: ["sigma"] },
  },
  {
    where: "6.2.1",
    kind: "parameter",
    says: "The finest-grained atomic operation is a 4-byte addition, so counters of shared histograms are integers.",
    code: { slug: "weighted-collision", at: ["packages/cuda/native/kernels/shared-table.cuh#atomicAdd"] },
    report: NO_NUMBER,
  },
];
