/** What the addon is handed, for programs that launch the kernels without Node. */
export { type CountShape, type PreparedCount, prepareCount } from "./run/index.ts";
