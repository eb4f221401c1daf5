import { byPaper, type Statement } from "../statement.ts";

const FREE = "packages/cuda/src/kernels/weighted-collision-free/kernel.cu";
const COLLISION = "packages/cuda/src/kernels/weighted-collision/kernel.cu";
const REDUCED = "packages/cuda/src/kernels/weighted-collision-reduced/kernel.cu";
const SEGMENT = "packages/cuda/native/kernels/segment.cuh";
const SUMMING = "packages/core/src/engine/table/summing.ts";

const NO_NUMBER = byPaper("The paper describes it without a measurement of its own.");

/** The methods of Xu et al., their variants and parameters. */
export const methods: readonly Statement[] = [
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
    where: "4.4.1, Algorithm 2",
    kind: "variant",
    says: "A block takes N_buffer documents per thread and stores a sub-histogram. Another kernel merges the sub-histograms.",
    code: {
      slug: ["weighted-collision-reduced", "weighted-hybrid"],
      set: { reduce: "tables" },
      at: ["packages/cuda/src/kernels/weighted-collision-reduced/merge.cuh#mergeSubHistograms"],
    },
    report: NO_NUMBER,
  },
  {
    where: "4.4.1, Algorithm 2",
    kind: "variant",
    says: "A thread flushes its buffer after N_buffer iterations, so that there are always slots available.",
    code: {
      slug: ["weighted-collision-reduced", "weighted-hybrid"],
      set: { reduce: "atomic" },
      at: [`${REDUCED}#inRounds`],
      differs:
        "With this value, the default, a block fills its buffers again and again, and adds its table once at the end. It writes far less.",
    },
    report: { figure: "xu-figure-9", panels: ["sigma"] },
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
      at: ["packages/core/src/algorithms/lib/hybrid-choice.ts#choicesOf", `${SUMMING}#HybridKind`],
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
    code: {
      slug: "weighted-hybrid",
      at: ["packages/core/src/algorithms/weighted-hybrid.ts#candidates", `${SUMMING}#HybridKind`],
      differs:
        "The first round times all three methods for every feature, so the boundary is that of the device.",
    },
    report: {
      figure: "xu-table-7",
      claims: ["The largest number of bins at which the collision-free method is ahead"],
    },
  },
  {
    where: "6.2.1",
    kind: "parameter",
    says: "The finest-grained atomic operation is a 4-byte addition, so counters of shared histograms are integers.",
    code: { slug: "weighted-collision", at: ["packages/cuda/native/kernels/shared-table.cuh#atomicAdd"] },
    report: NO_NUMBER,
  },
];
