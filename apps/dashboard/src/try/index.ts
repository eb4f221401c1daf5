export { LIVE } from "./load.ts";
export type { Measured } from "./tasks/step.ts";
