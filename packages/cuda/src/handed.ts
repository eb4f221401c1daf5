/** What the addon is handed, for programs that launch the kernels without Node. */
export { nativeLowering } from "./lowering.ts";
export { nativePlan } from "./plan.ts";
