export { type NativeOptions, native } from "./backend.ts";
