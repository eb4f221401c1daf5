export type { Case, Context, Size } from "./case.ts";
export {
  type CaseResult,
  conformanceCases,
  describeBackend,
  type Runner,
  type RunnerTest,
  type RunResult,
  runConformance,
  type SuiteOptions,
} from "./suite.ts";
