import { byHardware, byPaper, type Statement } from "./statement.ts";

const PER_THREAD_64 = "packages/cuda/src/kernels/per-thread-64/kernel.cu";
const PER_WARP = "packages/cuda/src/kernels/per-warp/kernel.cu";
const MERGE = "packages/cuda/native/kernels/merge.cu";
const NO_NUMBER = byPaper("The paper describes it without a measurement of its own.");

/** Podlozhnyuk's histograms in OpenCL. */
export const statements: readonly Statement[] = [
  {
    where: "Abstract",
    kind: "method",
    says: "Earlier methods use occlusion queries, with one rendering pass per bin, or sort the pixels. Both are expensive.",
    code: byPaper("The paper only cites these methods, as too expensive."),
    report: byPaper("The paper only cites these methods, as too expensive."),
  },
  {
    where: "Abstract",
    kind: "variant",
    says: "The histograms are read back to the host or kept on the GPU for later use.",
    code: { at: ["packages/core/src/engine/encode.ts"] },
    report: NO_NUMBER,
  },
  {
    where: "Listing 1",
    kind: "method",
    says: "A single thread increments `result[data[i]]` for each element.",
    code: { slug: "sequential", at: ["packages/core/src/algorithms/references/sequential.ts#reference"] },
    report: NO_NUMBER,
  },
  {
    where: "Overview",
    kind: "method",
    says: "Work-items build sub-histograms of their elements, which are merged at several levels. Each element is counted exactly once.",
    code: { at: ["packages/conformance/src/cases/properties.ts", `${PER_WARP}#addTables`] },
    report: NO_NUMBER,
  },
  {
    where: "Implementation of oclHistogram64",
    kind: "method",
    says: "Each work-item has byte counters of its own for 64 bins in local memory, so that nothing collides.",
    code: {
      slug: "per-thread-64",
      constants: { PER_THREAD_64_BINS: 64 },
      at: [`${PER_THREAD_64}#countPerThread64`],
    },
    report: { figure: "podlozhnyuk-histogram-64", panels: ["throughput"] },
  },
  {
    where: "Overview",
    kind: "parameter",
    says: "16 KB per average 192 work-items leave ~85 bytes per work-item, which limits the resolution to 64 bins.",
    code: {
      slug: "per-thread-64",
      constants: { PER_THREAD_64_THREADS: 192 },
      at: ["packages/core/src/algorithms/per-thread-64.ts#PER_THREAD_64_THREADS"],
    },
    report: byHardware("Today's shared memory is larger. Other methods use it for more bins."),
  },
  {
    where: "Overview",
    kind: "parameter",
    says: "The optimal work-group size is typically in the range of 64..256 work-items.",
    code: { constants: { PER_THREAD_64_THREADS: 192, PER_WARP_THREADS: 192, BLOCK_THREADS: 256 } },
    report: NO_NUMBER,
  },
  {
    where: "Implementation of oclHistogram64",
    kind: "parameter",
    says: "A byte counter limits a work-item to 255 bytes, or 63 four-byte words, and 192 work-items to 48,384 bytes.",
    code: {
      slug: "per-thread-64",
      constants: { TRISH_WORDS: 63 },
      at: ["packages/core/src/algorithms/per-thread-64.ts#TRISH_WORDS"],
    },
    report: { figure: "podlozhnyuk-histogram-64", panels: ["throughput"] },
  },
  {
    where: "Implementation of oclHistogram64",
    kind: "variant",
    says: "If WORKGROUP_SIZE is a multiple of 64, the bank of a counter does not depend on the data.",
    code: {
      slug: "per-thread-64",
      at: ["packages/core/src/algorithms/per-thread-64.ts#banks"],
      differs: "With 32 banks it takes a multiple of 128.",
    },
    report: { figure: "podlozhnyuk-histogram-64", panels: ["conflicts"] },
  },
  {
    where: "Implementation of oclHistogram64",
    kind: "variant",
    says: "Swapping the bits [5 : 4] and [3 : 0] of the work-item's number removes 4-way bank conflicts.",
    code: {
      slug: "per-thread-64",
      at: [`${PER_THREAD_64}#swizzled`, "packages/core/src/algorithms/references/per-thread-64.ts#swizzle"],
      differs: "With 32 banks the bits [6:5] and [4:0] are exchanged.",
    },
    report: {
      figure: "podlozhnyuk-histogram-64",
      claims: [
        "Without the swizzle, 4 threads share a bank: conflicts over those with it",
        "The swizzle eliminates bank conflicts completely",
        "The swizzle is faster",
      ],
    },
  },
  {
    where: "Figure 2",
    kind: "variant",
    says: "Shifting the start of accumulation by 4 bytes per thread of a half-warp removes 16-way bank conflicts.",
    code: { slug: "per-thread-64", at: [`${PER_THREAD_64}#so that their banks differ`] },
    report: {
      figure: "podlozhnyuk-histogram-64",
      claims: ["Shifted starts avoid 16-way conflicts of the summation, so they are faster"],
    },
  },
  {
    where: "Implementation of oclHistogram64",
    kind: "variant",
    says: "Input data is loaded as four-byte words.",
    code: { slug: "per-thread-64", at: [`${PER_THREAD_64}#countWord`] },
    report: { figure: "podlozhnyuk-histogram-64", panels: ["throughput"] },
  },
  {
    where: "Overview",
    kind: "variant",
    says: "Stores of 8 and 16 bits are not part of OpenCL 1.0. An extension provides them.",
    code: {
      slug: "per-thread-64",
      at: ["packages/webgpu/src/kernels/per-thread-64/kernel.wgsl#atomicAdd"],
      differs: "WGSL has no byte stores either. Its kernel adds to the word with an atomic.",
    },
    report: NO_NUMBER,
  },
  {
    where: "Implementation of oclHistogram256",
    kind: "method",
    says: "Each warp builds one 256-bin histogram in local memory, 192 / 32 * 256 * 4 bytes = 6KB per work-group.",
    code: { slug: "per-warp", constants: { PER_WARP_THREADS: 192 }, at: [`${PER_WARP}#countAtomic`] },
    report: {
      figure: "podlozhnyuk-histogram-256",
      claims: ["Shared memory of a work-group"],
    },
  },
  {
    where: "Overview",
    kind: "variant",
    says: "G10x GPUs have atomic operations in local memory, which the hardware serialises if they collide.",
    code: { slug: "per-warp", set: { collisions: "atomic" }, at: [`${PER_WARP}#countAtomic`] },
    report: {
      figure: "podlozhnyuk-histogram-256",
      claims: ["Built-in atomics still serialise colliding samples: from uniform bytes to zeros"],
    },
  },
  {
    where: "Listing 3",
    kind: "variant",
    says: "addData256() writes a counter with the 5 lower bits of the work-item's number shifted by 27, and repeats if another write won.",
    code: {
      slug: "per-warp",
      set: { collisions: "tag" },
      constants: { TAG_BITS: 5, TAGGED_MAX: 0x07ffffff },
      at: [`${PER_WARP}#addTagged`, "packages/core/src/algorithms/references/per-warp.ts#addTagged"],
      differs: "The kernel empties a counter before 27 bits overflow. The listing carries into the tag.",
    },
    report: { figure: "podlozhnyuk-histogram-256", panels: ["rounds", "throughput"] },
  },
  {
    where: "Implementation of oclHistogram256",
    kind: "variant",
    says: "A warp runs in lock-step. Of colliding stores, all but one are rejected, and committed work-items are masked out.",
    code: {
      slug: "per-warp",
      at: [`${PER_WARP}#__syncwarp`],
      differs: "Since Volta a warp need not run in lock-step, so each step ends with a barrier of the warp.",
    },
    report: {
      figure: "podlozhnyuk-histogram-256",
      claims: ["Only samples that meet cost rounds: zeros, then uniform, then linear bytes"],
    },
  },
  {
    where: "Implementation of oclHistogram64",
    kind: "variant",
    says: "mergeHistogram64() sums the work-groups' histograms in a second kernel, one work-item per bin with uncoalesced loads.",
    code: {
      slug: "per-thread-64",
      set: { reduce: "tables" },
      at: [`${MERGE}#mergeTables`, "benchmarks/peers/podlozhnyuk.cu"],
      differs: "Threads of the kernel share the tables of a bin, so that their loads are coalesced.",
    },
    report: { figure: "podlozhnyuk-histogram-64", panels: ["merge"] },
  },
  {
    where: "Implementation of oclHistogram64",
    kind: "claim",
    says: "The merge kernel's running time is only a fraction (< 5%) of the main kernel's.",
    code: { at: ["benchmarks/src/suites/podlozhnyuk.ts#podlozhnyuk"] },
    report: {
      figure: "podlozhnyuk-histogram-64",
      claims: ["The merge kernel takes a small part of the main kernel's time"],
    },
  },
  {
    where: "Implementation of oclHistogram256",
    kind: "variant",
    says: "mergeHistogram256() sums the work-groups' histograms in a second kernel.",
    code: { slug: "per-warp", set: { reduce: "tables" }, at: [`${MERGE}#mergeTables`] },
    report: { figure: "podlozhnyuk-histogram-256", panels: ["merge"] },
  },
  {
    where: "Overview",
    kind: "variant",
    says: "Sub-histograms are merged into a single histogram, at several levels if needed.",
    code: {
      slug: ["per-thread-64", "per-warp"],
      set: { reduce: "atomic" },
      at: ["packages/cuda/native/kernels/codes.cuh#atomicAdd"],
      differs: "With this value work-groups add with global atomics, for comparison. The default has none.",
    },
    report: NO_NUMBER,
  },
  {
    where: "Implementation of oclHistogram256",
    kind: "claim",
    says: "mergeHistogram256() takes only a small fraction of the total running time.",
    code: { at: ["benchmarks/src/suites/podlozhnyuk.ts#podlozhnyuk"] },
    report: {
      figure: "podlozhnyuk-histogram-256",
      claims: ["The merge kernel takes a small part of the time"],
    },
  },
  {
    where: "Implementation of oclHistogram256",
    kind: "claim",
    says: "The worst case is 32 iterations per warp, if the entire warp receives the same value.",
    code: { at: ["benchmarks/peers/podlozhnyuk.cu"] },
    report: {
      figure: "podlozhnyuk-histogram-256",
      claims: ["Worst case: a warp with equal samples takes 32 rounds"],
    },
  },
  {
    where: "Overview",
    kind: "claim",
    says: "Local memory has about an order of magnitude more bandwidth than global memory.",
    code: { at: ["packages/cuda/native/kernels/shared-table.cuh"] },
    report: byPaper("The statement is about G8x to G10x GPUs and gives no number."),
  },
];
