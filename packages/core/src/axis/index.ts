export {
  type Axis,
  checkedAxis,
  dataRange,
  edgesOf,
  type IntegerAxis,
  integer,
  isSameAxis,
  type RegularAxis,
  regular,
  regularSpaced,
  type VariableAxis,
  variable,
  wholeRange,
} from "./axis.ts";
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
