export { countColumns, countSelected } from "./count.ts";
export { JointJobs } from "./jobs.ts";
export { checkJointOptions, checkSelectedOptions } from "./options.ts";
