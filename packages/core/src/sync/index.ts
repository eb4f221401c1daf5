export type { Axis, AxisEnd, IntegerAxis, RegularAxis, VariableAxis } from "../axis/index.ts";
export { integer, regular, variable } from "../axis/index.ts";
export { type ErrorCode, isPolybinError, PolybinError } from "../base/index.ts";
export { type Counts, histogramSync, type SyncOptions } from "./histogram-sync.ts";
