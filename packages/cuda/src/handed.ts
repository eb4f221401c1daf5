/** The addon's plan, for programs that launch the kernels without Node. */
export { nativePlan } from "./run/index.ts";
