export { type FormatOptions, formats } from "./generated/registry.ts";
export { textReader } from "./lib/text/index.ts";
