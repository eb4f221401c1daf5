/** What every room may use: this backend's own numbers. */
export * from "./limits.ts";
