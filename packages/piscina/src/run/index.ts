export { extentJob, prepareCount } from "./count.ts";
export { Pool } from "./pool.ts";
export { prepareSegments } from "./segments.ts";
export { prepareSums } from "./sums.ts";
