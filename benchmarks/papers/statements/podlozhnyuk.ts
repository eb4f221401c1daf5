import { byHardware, byPaper, type Statement } from "./statement.ts";

const PER_THREAD_64 = "packages/cuda/src/kernels/per-thread-64/kernel.cu";
const PER_WARP = "packages/cuda/src/kernels/per-warp/kernel.cu";
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
    report: NO_NUMBER,
  },
  {
    where: "Overview",
    kind: "parameter",
    says: "16 KB per average 192 work-items leave ~85 bytes per work-item, which limits the resolution to 64 bins.",
    code: {
      slug: "per-thread-64",
      constants: { PER_THREAD_64_THREADS: 192 },
      at: ["packages/core/src/algorithms/per-thread-64.ts#fittingThreads"],
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
    report: NO_NUMBER,
  },
  {
    where: "Implementation of oclHistogram64",
    kind: "variant",
    says: "If WORKGROUP_SIZE is a multiple of 64, the bank of a counter does not depend on the data.",
    code: { slug: "per-thread-64", at: ["packages/core/src/algorithms/per-thread-64.ts#fittingThreads"] },
    report: NO_NUMBER,
  },
  {
    where: "Implementation of oclHistogram64",
    kind: "variant",
    says: "Swapping the bits [5 : 4] and [3 : 0] of the work-item's number removes 4-way bank conflicts.",
    code: {
      slug: "per-thread-64",
      at: [`${PER_THREAD_64}#swizzle`, "packages/core/src/algorithms/references/per-thread-64.ts#swizzle"],
    },
    report: NO_NUMBER,
  },
  {
    where: "Figure 2",
    kind: "variant",
    says: "Shifting the start of accumulation by 4 bytes per thread of a half-warp removes 16-way bank conflicts.",
    code: { slug: "per-thread-64", at: [`${PER_THREAD_64}#bin % (WARP_THREADS / 2)`] },
    report: NO_NUMBER,
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
    report: { figure: "brown-snoeyink-figure-6", panels: ["uniform", "zeros", "linear"] },
  },
  {
    where: "Overview",
    kind: "variant",
    says: "G10x GPUs have atomic operations in local memory, which the hardware serialises if they collide.",
    code: { slug: "per-warp", set: { collisions: "atomic" }, at: [`${PER_WARP}#countAtomic`] },
    report: { figure: "brown-snoeyink-figure-6", claims: ["Podlozhnyuk's method depends on the data"] },
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
    report: { figure: "brown-snoeyink-figure-6", panels: ["data"] },
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
    report: NO_NUMBER,
  },
  {
    where: "Overview",
    kind: "claim",
    says: "Local memory has about an order of magnitude more bandwidth than global memory.",
    code: { at: ["packages/cuda/native/kernels/shared-table.cuh"] },
    report: byPaper("The statement is about G8x to G10x GPUs and gives no number."),
  },
];
