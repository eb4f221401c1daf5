/** What the addon is handed, for programs that launch the kernels without Node. */
export { type PreparedCount, prepareCount } from "./run/index.ts";
