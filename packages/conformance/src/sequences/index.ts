export { Requests } from "./generate.ts";
export { partsOf, turns } from "./parts.ts";
export { type Open, runSequence } from "./sequence.ts";
export type { Step } from "./step.ts";
