export { type Affine, affineOf } from "./affine.ts";
export { CellReader } from "./cell-reader.ts";
export {
  type CellColumn,
  type CellFinder,
  type Cells,
  cellsOf,
  codesOfPlaces,
  type Placed,
  plainCellFinder,
} from "./cells.ts";
export { gridOf, type KeyGrid, type ValueGrid } from "./grid.ts";
export { indices } from "./indices.ts";
export { valueOfKey } from "./keys.ts";
export * as limits from "./limits.ts";
export { RANK_PADDING } from "./limits.ts";
export { type Line, lineOf, ROW_BELOW } from "./line.ts";
export {
  type ConstantLowering,
  codeOfValue,
  type DirectLowering,
  type Guess,
  type Key,
  type KeysLowering,
  type Lowering,
  lower,
  lowerInto,
  NAN,
  OVERFLOW,
  type TableLowering,
  tableLowering,
  UNDERFLOW,
} from "./lowering.ts";
export { Lowerings } from "./lowerings.ts";
export {
  type LookupSize,
  lookupSizeOf,
  type RankedType,
  type RankGuess,
  type Ranks,
  rankOf,
  ranksOf,
} from "./ranks.ts";
export { reduced, roundedDown } from "./reduced.ts";
export { searchFinder } from "./thresholds.ts";
