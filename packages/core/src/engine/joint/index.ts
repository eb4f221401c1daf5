export { callEachSelected, callJoint, callSelected, type JointEngine } from "./call.ts";
export { prepareJointCounter } from "./counter.ts";
export { explainJoint, supportsJoint } from "./explain.ts";
export { JointJobs } from "./jobs.ts";
