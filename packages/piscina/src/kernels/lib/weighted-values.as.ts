// Prepares values of a feature to be added up (weighted.as.ts).
//
//   CHUNK    values as the table has them: half bytes, bytes or 16-bit words
//   INDICES  the documents of a list, relative to the chunk's first
//   out      one value per document, 8 or 16 bits
//
// Bound: the loads and stores. The documents of a list are read one at a time.
// Source: polybin.
import { CHUNK } from "./memory.as";
import { INDICES } from "./weighted.as";

/** Unpacks half bytes from CHUNK on to bytes from `out` on. It may write up to 31 bytes more than n. */
export function unpack_u4(n: u32, out: u32): void {
  const half = i8x16.splat(15);
  for (let i: u32 = 0; i < n; i += 32) {
    const both = v128.load(i >> 1, CHUNK);
    const even = v128.and(both, half);
    const odd = i8x16.shr_u(both, 4);
    v128.store(out + i, i8x16.shuffle(even, odd, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23));
    v128.store(out + i, i8x16.shuffle(even, odd, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31), 16);
  }
}

export function gather_u4(n: u32, out: u32): void {
  for (let i: u32 = 0; i < n; i++) {
    const index = load<u32>(i << 2, INDICES);
    store<u8>(out + i, (<u32>load<u8>(index >> 1, CHUNK) >> ((index & 1) << 2)) & 15);
  }
}

export function gather_u8(n: u32, out: u32): void {
  for (let i: u32 = 0; i < n; i++) store<u8>(out + i, load<u8>(load<u32>(i << 2, INDICES), CHUNK));
}

export function gather_u16(n: u32, out: u32): void {
  for (let i: u32 = 0; i < n; i++) {
    store<u16>(out + (i << 1), load<u16>(load<u32>(i << 2, INDICES) << 1, CHUNK));
  }
}
