import { limits, SAMPLE_TYPES, VALUE_TYPES } from "@polybin/core/backend";
import { BLOCK_THREADS_MAX, GRID_ROWS_MAX } from "../base/index.ts";
import { described, enumeration } from "./describe.ts";

/** A number from 1 on. */
const some = (most: number) => ({ least: 1, most });

/** Sample types in core's order. */
export const SampleType = enumeration("Type", SAMPLE_TYPES);
/** The types of a feature's values, in core's order. */
const ValueType = enumeration("ValueType", VALUE_TYPES);
/**
 * How a sample's row in a table is found (core's lowering and ranks). raw: the row of an 8-bit sample is its bits.
 * There are 256 rows, which the merge on the host sorts into bins. For all others the row is the sample's rank: 0
 * underflow, 1 … bins the bins, then overflow, then NaN.
 */
const Kind = enumeration("Kind", ["raw", "direct", "table", "ranks", "scaled"]);

/** How samples are cut into segments, as in core's Segments. */
export const CUTS = ["every", "offsets", "tiles"] as const;
export const Cut = enumeration("Cut", CUTS);

/** How a mask leaves samples out, as in core's MaskKind. */
export const MaskKind = enumeration("MaskKind", ["none", "bytes", "bits"]);

/** A lowering without its arrays. Fields that a kind does not need are 0. */
export const LoweringNumbers = described("LoweringNumbers", {
  kind: Kind,
  type: SampleType,
  bins: "u32",
  /** False if no sample can fall outside the bins. */
  flow: "bool",
  /** scaled: bin = (key - first) * scale / 2^32, at most bins - 1, for keys from first to last. */
  first: "u32",
  last: "u32",
  scale: "u32",
  /** ranks: halvings that find the rank in any cell. */
  steps: { least: 0, most: 31 },
  /** ranks: number of the last cell. */
  cells: "u32",
  /** line: cell = round(saturate((sample - origin) * inverse) * cells) */
  line: "bool",
  /** Otherwise: cell = min((max(leading word of the key, base) - base) >> shift, cells) */
  base: "u32",
  /** raw: cell = sample >> shift */
  shift: "u32",
  /** direct */
  start: "i64",
  origin: "f64",
  inverse: "f64",
});

/** The parts of core's plan that every counting kernel needs. */
export const Plan = described("Plan", {
  cells: "u32",
  cellsPerPass: "u32",
  passes: "u32",
  threads: some(BLOCK_THREADS_MAX),
  blocks: some(2 ** 31 - 1),
  replicas: "u32",
  sharedBytes: "u32",
  /** Words of four samples that a thread bins before its counters must be summed. 0: no limit. */
  wordsPerThread: "u32",
  /** Bytes of a code: 1 for raw samples, and if a byte also has room for a code of flow; otherwise 4. */
  codeBytes: "u32",
  /** Partial tables of a pass, one per block, and the launch that merges them. 0: blocks add with atomics. */
  partials: "u32",
  mergeThreads: "u32",
  mergeBlocks: "u32",
});

/** The parts of core's plan that every kernel of weighted sums needs. */
export const WeightedPlan = described("WeightedPlan", {
  type: ValueType,
  /** Weights are floats and go to totals of doubles. Otherwise they are integers and go to totals of 64 bits. */
  fast: "bool",
  /** Sums of 64 bits in two words. */
  wide: "bool",
  /** Whether documents are also counted, and squares added up. */
  counts: "bool",
  squares: "bool",
  bins: some(limits.MAX_BINS),
  binsPerPass: "u32",
  passes: "u32",
  threads: { least: limits.WARP_THREADS, most: BLOCK_THREADS_MAX },
  replicas: some(BLOCK_THREADS_MAX),
  featuresPerBlock: some(limits.U32_MAX),
  sharedBytes: "u32",
  segments: some(GRID_ROWS_MAX),
  segmentDocuments: "u64",
  /** 0: never. */
  flushDocuments: "u64",
  /** 0: blocks store none. */
  subHistogramBytes: "u32",
});

/** All structs that do not belong to one algorithm. */
export const STRUCTS = [LoweringNumbers, Plan, WeightedPlan] as const;
/** All enumerations, which C++ also has. */
export const ENUMERATIONS = [SampleType, ValueType, Kind, Cut, MaskKind] as const;
