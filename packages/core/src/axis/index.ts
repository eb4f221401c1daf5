export {
  checkedAxis,
  dataRange,
  edgesOf,
  hasClosedEnd,
  integer,
  isClosed,
  isSameAxis,
  own,
  regular,
  regularSpaced,
  variable,
  wholeRange,
} from "./axis.ts";
export { axisKey } from "./axis-key.ts";
export { boolean, category, categoryFrom } from "./category.ts";
export { circular } from "./circular.ts";
export { codeOfValue, lastAtMost } from "./code-of-value.ts";
export { type CountedAs, countedAs, type Reduction } from "./counted-as.ts";
export { bigOf } from "./exact.ts";
export { type Intervals, intervalsOf, kindOf, NAN, OVERFLOW, UNDERFLOW } from "./kinds.ts";
export * as limits from "./limits.ts";
export { nextUp } from "./next-up.ts";
export { nice } from "./nice.ts";
export { quantiles } from "./quantiles.ts";
export {
  type AxisOptions,
  type AxisParts,
  axisBeforehand,
  axisUnread,
  type BinRange,
  binsOf,
  checkAxisOptions,
  checkNoRule,
  coversType,
  isEstimated,
  type Without,
} from "./range.ts";
export { type BinRule, binsByRule } from "./rules.ts";
export { log, power } from "./spaced.ts";
export type {
  Axis,
  AxisEnd,
  BooleanAxis,
  CategoryAxis,
  CircularAxis,
  IntegerAxis,
  OrderedAxis,
  RegularAxis,
  VariableAxis,
} from "./types.ts";
