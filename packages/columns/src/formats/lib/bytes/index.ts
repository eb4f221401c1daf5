export { copyBits, countBits, setBits } from "./bits.ts";
export { Interned } from "./interned.ts";
export { readLz4Block, readLz4Frame } from "./lz4.ts";
export { readers } from "./readers.ts";
export { type Counted, joinValues, sliceValues, type Values } from "./values.ts";
export { readZstd } from "./zstd.ts";
