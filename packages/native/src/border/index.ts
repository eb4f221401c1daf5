export type { CellsInputs, Counter, Native, NativeCells, PackedJob, Told, Watch } from "./addon.ts";
export { CELLS, ENUMERATIONS, JOB, type JobValues, NAMED, packed, SEGMENTS, STRUCTS } from "./job.ts";
