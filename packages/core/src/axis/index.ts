export {
  checkedAxis,
  dataRange,
  edgesOf,
  integer,
  isClosed,
  isSameAxis,
  regular,
  regularSpaced,
  variable,
  wholeRange,
} from "./axis.ts";
export { boolean, category } from "./category.ts";
export { circular } from "./circular.ts";
export { NAN, OVERFLOW, UNDERFLOW } from "./flow.ts";
export { type CountedAs, countedAs, kindOf } from "./kinds.ts";
export * as limits from "./limits.ts";
export { quantiles } from "./quantiles.ts";
export {
  type AxisOptions,
  axisBeforehand,
  axisUnread,
  type BinRange,
  binsOf,
  checkAxisOptions,
} from "./range.ts";
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
