export { compiledBy, decodedBy, HERE, type Read, type Sharing, storedOf } from "./compiled.ts";
export { compiledReaders, pooledReaders, textReader } from "./readers.ts";
export { LINES, type Marks } from "./records.ts";
export { decodeText, ENCODINGS, type Encoding, sampleOf } from "./sample.ts";
export { type Compiled, type TextAnswer, TextTable } from "./table.ts";
