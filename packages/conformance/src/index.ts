export { axesFor, describeAxis, wholeAxis } from "./axes.ts";
export { type Case, type CaseRequest, type Context, type Size, Skip } from "./case.ts";
export { Checker, type Failure } from "./checker.ts";
export { aroundAxis, DISTRIBUTIONS, type Distribution, extremesOf, filled, generate } from "./generators.ts";
export type { SuiteOptions } from "./options.ts";
export { countByDefinition, type Expected } from "./oracle/counts.ts";
export { type FloatType, floatSpecials, neighbour } from "./oracle/floats.ts";
export { KERNEL_HELPERS, type KernelFolder, parityProblems } from "./parity.ts";
export { repeats } from "./repetition.ts";
export type { Encode } from "./request/ask.ts";
export {
  type CaseResult,
  conformanceCases,
  describeBackend,
  type Runner,
  type RunnerTest,
  type RunResult,
  runConformance,
} from "./suite.ts";
