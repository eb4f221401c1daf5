export { Requests } from "./generate.ts";
export { type Part, partsOf, turns } from "./parts.ts";
export { type Open, type Ran, runSequence } from "./sequence.ts";
export type { Step } from "./step.ts";
