import { byHardware, byPaper, type Statement } from "../statement.ts";

const SEGMENT = "packages/cuda/native/kernels/segment.cuh";
const FETCH = "packages/core/src/algorithms/lib/fetch.ts#FETCH";
const TABLE = "packages/core/src/engine/table/table.ts";
const SUITE = "benchmarks/src/suites/weighted-paper.ts";

const CITED = byPaper("The paper only cites it, and does not describe a kernel.");
const UNMEASURED = byPaper("The paper only cites it, and does not measure it.");

const METHODS = [
  "weighted-collision-free",
  "weighted-collision",
  "weighted-collision-reduced",
  "weighted-hybrid",
] as const;

/** Xu et al.: the problem, earlier work, the fetch of values and the data. */
export const problem: readonly Statement[] = [
  {
    where: "2.1",
    kind: "method",
    says: "LambdaMART needs histograms of all features, unweighted and weighted by λ. Only λ changes from tree to tree.",
    code: { at: [`${TABLE}#FeatureTable`, "docs/examples/lambdamart/tree.js"] },
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
    kind: "variant",
    says: "The fetch type is always unsigned int. A thread gets the values of a word by shift or and.",
    code: { slug: METHODS, set: { fetch: "word" }, at: [`${SEGMENT}#readWords`, FETCH] },
    report: {
      figure: "xu-figure-7",
      claims: ["Fetching words maximises the bandwidth: the median ratio of words to single values"],
    },
  },
  {
    where: "4.1",
    kind: "variant",
    says: "The type of a value is unsigned char or unsigned short, as the number of bins needs it.",
    code: {
      slug: METHODS,
      set: { fetch: "value" },
      at: [`${SEGMENT}#valueAt`],
      differs: "With this value a thread loads one value at a time, for comparison.",
    },
    report: { figure: "xu-figure-7", panels: ["fetch"] },
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
    where: "5.2, Table 3",
    kind: "parameter",
    says: "A value takes 0.5, 1 or 2 bytes, so 1 GB/s of data are 2, 1 or 0.5 Gdoc/s.",
    code: {
      at: ["packages/core/src/input/value-types.ts#rowBytes", "benchmarks/src/data/feature-rows.ts#typeFor"],
    },
    report: { figure: "xu-table-3", claims: ["16 bins", "128 bins", "1024 bins"] },
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
];
