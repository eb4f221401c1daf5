export { findDawn } from "./find.ts";
