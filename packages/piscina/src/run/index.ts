export { prepareColumns } from "./columns.ts";
export { extentJob, prepareCount } from "./count.ts";
export { prepareJoint } from "./joint.ts";
export { type Modules, Pool } from "./pool.ts";
export { prepareSegments } from "./segments.ts";
export { prepareSums } from "./sums.ts";
export { Counting } from "./sync.ts";
