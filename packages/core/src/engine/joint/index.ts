export { countColumns, countSelected } from "./count.ts";
export { prepareJointCounter } from "./counter.ts";
export { explainJoint, supportsJoint } from "./explain.ts";
export { JointJobs } from "./jobs.ts";
export { checkJointOptions, checkSelectedOptions } from "./options.ts";
