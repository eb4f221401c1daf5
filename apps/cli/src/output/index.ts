export { axisJson, timingsJson } from "./data/json-parts.ts";
export { checkOutput, checkTargets, type Kept, keptInputs, type Target } from "./files/targets.ts";
export { writeWhole } from "./files/write-whole.ts";
export { panelsOf, printJoint, printResult, printTable } from "./print.ts";
export type {
  CellsColumn,
  Channel,
  InputDescription,
  JointResult,
  NotRead,
  Result,
  TableResult,
  Work,
} from "./result.ts";
export { titleOf } from "./title.ts";
