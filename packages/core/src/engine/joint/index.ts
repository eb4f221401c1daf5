import { loadedOnce } from "../../base/index.ts";

export { countColumns, countEachSelected, countSelected } from "./count.ts";
export { prepareJointCounter } from "./counter.ts";
export { explainJoint, supportsJoint } from "./explain.ts";
export { JointJobs } from "./jobs.ts";
export { checkJointOptions, checkSelectedOptions } from "./options.ts";
export { isStream } from "./piece-readers.ts";
export { countStreams } from "./stream.ts";

/** Loads the code of weights, which most calls do not need. */
export const weighing: () => Promise<typeof import("./weigh.ts")> = loadedOnce(() => import("./weigh.ts"));
