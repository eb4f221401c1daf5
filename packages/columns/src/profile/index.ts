/** Profiles of tables: what is in each column, counted exactly and in bounded memory. */
export type {
  CalendarJson,
  ColumnJson,
  CorrelationsJson,
  DistinctJson,
  DuplicatesJson,
  FileJson,
  HistogramJson,
  JointAxisJson,
  JointJson,
  LengthsJson,
  MissingJson,
  OverColumnJson,
  OverJson,
  PatternJson,
  ProfileJson,
  QuantileJson,
  SampleJson,
  Scalar,
  TimingsJson,
  TopJson,
} from "./json.ts";
export { checkedProfileOptions, type ProfileOptions, type ProfileProgress } from "./options.ts";
export {
  type ColumnPlan,
  type HeavyPlan,
  type JointPlan,
  OVER_UNITS,
  type OverPlan,
  type OverStep,
  type PairsPlan,
  type PassPlan,
  type SamplePlan,
} from "./partial/plan.ts";
export { ProfilePartial } from "./partial/profile-partial.ts";
export { batchesFor } from "./pass/batches.ts";
export { columnsOf, typeKey } from "./pass/columns.ts";
export { type Keep, PassCounting } from "./pass/counting.ts";
export type { DenseValues } from "./pass/dense.ts";
export { knownExtents } from "./pass/known-extents.ts";
export { columnsOnSides, extentsOnSides, momentsOnSides, type Sides } from "./pass/on-sides.ts";
export { planAfter } from "./pass/pair-plans.ts";
export { firstPass, type KnownExtents, nextPass, type ProfileRequest } from "./pass/plans.ts";
export { bytesOf } from "./pass/run.ts";
export { profile } from "./profile.ts";
export { topJson } from "./result/column-json.ts";
export { countedOf } from "./result/facts.ts";
export { type ProfileParts, profileJson } from "./result/profile-json.ts";
export type { Sampling } from "./sample/batches.ts";
export { type SamplePlanning, type SampleRequest, samplePlanOf } from "./sample/plan.ts";
export { type CountedSide, countSides, requestFor } from "./sides.ts";
export { type CorrelatedPair, nullsTogether, type SharedNulls, strongest } from "./strongest.ts";
export { shortNumber, spanText, stepText, typeText, unitText, valueText } from "./text.ts";
export { compareValues, type Value } from "./values/keys.ts";
export type { Counted } from "./values/values.ts";
