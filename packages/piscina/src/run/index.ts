export { extentJob, prepareCount } from "./count.ts";
export { Pool } from "./pool.ts";
export { prepareSums } from "./sums.ts";
