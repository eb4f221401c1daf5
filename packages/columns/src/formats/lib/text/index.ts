export { decodeText, ENCODINGS, type Encoding, sampleOf } from "./sample.ts";
export { type TextAnswer, TextTable } from "./table.ts";
