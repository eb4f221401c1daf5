/** Formats known by their first bytes, without what reads them. */
export { isStream as isArrowStream } from "./formats/arrow/detect.ts";
