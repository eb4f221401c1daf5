/** What the addon is handed, for programs that launch the kernels without Node. */
export { nativePlan } from "./run/index.ts";
