export { countColumns } from "./count.ts";
export { JointJobs } from "./jobs.ts";
export { checkJointOptions } from "./options.ts";
