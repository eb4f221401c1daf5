/** The machine: the addon, and what this process may use of the processor. */
export { deviceLimits } from "./device-limits.ts";
export { coded } from "./errors.ts";
export * from "./limits.ts";
export { addon, loaded } from "./loader.ts";
