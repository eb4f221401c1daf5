/**
 * Formats known by their first bytes, without what reads them, the first bytes of what is packed, and places of many files.
 */
export { isStream as isArrowStream } from "./formats/arrow/detect.ts";
export { standsForMany } from "./source/many.ts";
export { unpackedHead, unpackedName } from "./source/packed.ts";
