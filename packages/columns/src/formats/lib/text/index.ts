export { MAX_RECORD_BYTES } from "./records.ts";
export { decodeText, ENCODINGS, type Encoding, sampleOf } from "./sample.ts";
export { type TextAnswer, TextTable } from "./table.ts";
