export type { Counter, Native } from "./addon.ts";
export { ENUMERATIONS, JOB, type JobValues, NAMED, packed } from "./job.ts";
