// Made from @polybin/core's limits.ts by scripts/limits.mjs: change them there.

export const BYTE_VALUES: u32 = 256;
export const HALF_VALUES: u32 = 65536;
export const U16_MAX: u32 = 65535;
export const U32_MAX: u32 = 4294967295;
export const WORD_BYTES: u32 = 4;
export const TRISH_THREADS: u32 = 64;
export const TRISH_WORDS: u32 = 63;
export const BYTE_LANES: u32 = 16;
export const PAIR_LANES: u32 = 2;
export const NARROW_LANES: u32 = 8;
export const WIDE_LANES: u32 = 4;
export const NARROW_CELLS: u32 = 1024;
export const CHUNK_BYTES: u32 = 131072;
export const GUESS_CELLS: u32 = 2048;
export const WEIGHTED_DOCUMENTS: u32 = 65536;
export const SUM_BITS: u32 = 40;
export const SIDE_BY_SIDE: u32 = 4;
