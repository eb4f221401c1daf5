/** This backend's own numbers, which every folder may use. */
export * from "./limits.ts";
