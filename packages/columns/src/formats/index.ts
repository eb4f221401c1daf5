export { type FormatOptions, formats } from "./generated/registry.ts";
