export { BASES, type Basis, basisName, FIRST_BASIS, onBasis } from "./basis.ts";
export { withShares } from "./ceilings.ts";
export { type Crossover, crossover, sides } from "./crossover.ts";
export { index, papersOf, profilesOf, rowsOf, whole } from "./load.ts";
export { median } from "./median.ts";
export type {
  Page,
  PageCell,
  PagePicture,
  PageSection,
  Panel,
  PanelSide,
  PaperFigure,
  Point,
  Series,
} from "./papers.ts";
export { type Comparison, comparisons } from "./peers.ts";
export { addressOf, isMoved, neighbour, type Route, routeOf } from "./route.ts";
export { isInvalid, type Run, runsOf, shareOf } from "./runs.ts";
export { isSoftware, selection, showsSoftware } from "./selection.ts";
export type { FileEntry, Profile, ProfiledKernel, Row } from "./types.ts";
export {
  exactness,
  figure,
  isCeiling,
  isOurs,
  kindOf,
  memoryOf,
  nameOf,
  percent,
  ratio,
  SOFTWARE,
  sizeOf,
} from "./words.ts";
