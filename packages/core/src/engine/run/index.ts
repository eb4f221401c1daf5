export {
  type CallOptions,
  histogramRequest,
  histogramsRequest,
  jointRequest,
  segmentsRequest,
} from "./calls.ts";
export type { JointCounter, JointCounterInput } from "./columns-counter.ts";
export { prepareColumns } from "./prepare-columns.ts";
export { resultOf } from "./results.ts";
export { type Running, run } from "./run.ts";
export { leaveSegments } from "./segments.ts";
