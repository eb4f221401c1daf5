/** Formats known by their first bytes, without what reads them, and the first bytes of what is packed. */
export { isStream as isArrowStream } from "./formats/arrow/detect.ts";
export { unpackedHead, unpackedName } from "./source/packed.ts";
