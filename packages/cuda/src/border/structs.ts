import { SAMPLE_TYPES, VALUE_TYPES } from "@polybin/core/backend";
import { described, enumeration } from "./describe.ts";

/** Sample types, in core's order. */
export const SampleType = enumeration("Type", SAMPLE_TYPES);
/** How a feature's values are kept, in core's order. */
const ValueType = enumeration("ValueType", VALUE_TYPES);
/**
 * How a sample finds its row in a table (core's lowering and ranks).
 * raw: the row of an 8-bit sample is its bits, 256 of them, and the merge on the host sorts them into bins.
 * Else the row is the sample's rank: 0 underflow, 1 … bins the bins, then overflow, then NaN.
 */
const Kind = enumeration("Kind", ["raw", "direct", "table", "ranks", "scaled"]);

/** How samples are cut into segments, as core's Segments says. */
export const CUTS = ["every", "offsets", "tiles"] as const;
export const Cut = enumeration("Cut", CUTS);

/** A lowering without its arrays; what a kind does not need is 0. */
export const LoweringNumbers = described("LoweringNumbers", {
  kind: Kind,
  type: SampleType,
  bins: "u32",
  /** False: no sample can fall outside. */
  flow: "bool",
  /** scaled: bin = (key - first) * scale / 2^32, at most bins - 1, for keys from first to last. */
  first: "u32",
  last: "u32",
  scale: "u32",
  /** ranks: halvings that find the rank in any cell. */
  steps: "u32",
  /** The same: number of the last cell. */
  cells: "u32",
  /** line: cell = round(saturate((sample - origin) * inverse) * cells) */
  line: "bool",
  /** Else: cell = min((max(leading word of the key, base) - base) >> shift, cells) */
  base: "u32",
  shift: "u32",
  /** direct */
  start: "i64",
  origin: "f64",
  inverse: "f64",
});

/** What any kernel that counts needs of core's plan. */
export const Plan = described("Plan", {
  cells: "u32",
  cellsPerPass: "u32",
  passes: "u32",
  threads: "u32",
  blocks: "u32",
  replicas: "u32",
  sharedBytes: "u32",
  /** Words of four samples that a thread bins before its counters must be summed; 0: no bound. */
  wordsPerThread: "u32",
});

/** What any kernel of weighted sums needs of core's plan. */
export const WeightedPlan = described("WeightedPlan", {
  type: ValueType,
  /** Weights are floats, which go into totals of doubles; else integers, which go into totals of 64 bits. */
  fast: "bool",
  /** Sums of 64 bits, in two words. */
  wide: "bool",
  /** Are documents counted, too, and squares added up? */
  counts: "bool",
  squares: "bool",
  bins: "u32",
  binsPerPass: "u32",
  passes: "u32",
  threads: "u32",
  replicas: "u32",
  featuresPerBlock: "u32",
  sharedBytes: "u32",
  segments: "u32",
  segmentDocuments: "u64",
  /** 0: never. */
  flushDocuments: "u64",
});

/** All structs that do not belong to one algorithm. */
export const STRUCTS = [LoweringNumbers, Plan, WeightedPlan] as const;
/** All enumerations, which are C++'s too. */
export const ENUMERATIONS = [SampleType, ValueType, Kind, Cut] as const;
