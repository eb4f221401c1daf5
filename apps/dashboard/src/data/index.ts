export { BASES, type Basis, basisName, FIRST_BASIS, onBasis } from "./basis.ts";
export { withShares } from "./ceilings.ts";
export { type Crossover, crossover, sides } from "./crossover.ts";
export { dayOf, hostOf, machineName, newestFirst, sourceOf } from "./hosts.ts";
export { index, papersOf, profileOf, rowsOf, whole } from "./load.ts";
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
export { type Comparison, comparisons, threadsOf } from "./peers.ts";
export { programOf } from "./programs.ts";
export { addressOf, isMoved, neighbour, type Route, routeOf } from "./route.ts";
export { isSoftware, selection, showsSoftware, sourced } from "./selection.ts";
export { TASKS, type TaskRow, type TaskTable, taskTable, verdictOf } from "./tasks.ts";
export type { FileEntry, Profile, ProfiledKernel, Row } from "./types.ts";
export {
  algorithmName,
  exactness,
  figure,
  isCeiling,
  isDefaultSlug,
  isOurs,
  kindOf,
  memoryOf,
  nameOf,
  percent,
  raised,
  ratio,
  residenceName,
  SOFTWARE,
  sizeOf,
  slugOf,
} from "./words.ts";
