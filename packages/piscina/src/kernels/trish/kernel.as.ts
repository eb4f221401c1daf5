// trish: one worker takes the part of a block of 64 threads. Each thread has its own histogram in byte counters. The
// input's words are distributed over the threads, and all counters are summed before one could pass 255.
//
//   THREADS  [64 rows: bin >> 2][64 threads][4 bytes: bin & 3]   byte counters, 16 KiB
//   COUNTS   [bin]                                               block counts of 32 bits
//
//   address of a counter = ((b | b << 6) & 0x3f03) + 4 * thread: four bytes of the input at a time, as
//   16-bit parts of a 64-bit word
//
// Bound: about seven instructions per byte, plus the row sums. The data makes hardly any difference.
// Source: Brown & Snoeyink, "Modestly Faster Histogram Computations on GPUs", sections 5.1 to 5.5. This kernel omits
// the staggered start of the row sums, which avoids bank conflicts that a CPU does not have.
import { TRISH_THREADS, TRISH_WORDS, WORD_BYTES } from "../generated/limits.as";
import { COUNTS, THREADS } from "../lib/memory.as";

/** Bytes of one row: a counter word per thread. It is also the input bytes of one word for every thread. */
const ROW: u32 = TRISH_THREADS * WORD_BYTES;
const ROWS: u32 = 64;
/** Bytes that one turn of the innermost loop bins: the words of sixteen threads. */
const BATCH: u32 = 64;

/** Words that the busiest thread has binned since the last accumulation. */
let binned: u32 = 0;

export function reset_trish(): void {
  if (binned) memory.fill(THREADS, 0, ROW * ROWS);
  binned = 0;
}

/** Counts n bytes, k words per thread and loop, 1 <= k <= TRISH_WORDS. `pairs`: how rows are summed. */
export function count_trish_u8(ptr: u32, n: u32, k: u32, pairs: bool): void {
  let rows = n / ROW;
  while (rows) {
    const words = rows < k ? rows : k;
    if (binned + words > TRISH_WORDS) accumulate(pairs);
    for (let i: u32 = 0; i < words; i++, ptr += ROW) binRow(ptr);
    binned += words;
    rows -= words;
  }
  const rest = n & (ROW - 1);
  if (rest) {
    if (binned == TRISH_WORDS) accumulate(pairs);
    binRest(ptr, rest);
    binned++;
  }
}

/** Adds the remaining counts to COUNTS. Counting may continue afterwards. */
export function finish_trish(pairs: bool): void {
  if (binned) accumulate(pairs);
}

/** Returns the counter addresses of bytes 0, 2, 4 and 6 of a word, as 16-bit parts. */
@inline function addresses(word: u64): u64 {
  const even = word & 0x00ff00ff00ff00ff;
  return (even | (even << 6)) & 0x3f033f033f033f03;
}

/**
 * Bins one word for each thread. A turn takes the words of sixteen threads, and bins the same byte of all of them
 * before the next byte (section 5.2's batches). Four equal bytes of a word are then far apart.
 */
function binRow(ptr: u32): void {
  let at: u32;
  let column: u64 = 0;
  for (const end = ptr + ROW; ptr < end; ptr += BATCH) {
    const word0 = load<u64>(ptr, 0);
    const word1 = load<u64>(ptr, 8);
    const word2 = load<u64>(ptr, 16);
    const word3 = load<u64>(ptr, 24);
    const word4 = load<u64>(ptr, 32);
    const word5 = load<u64>(ptr, 40);
    const word6 = load<u64>(ptr, 48);
    const word7 = load<u64>(ptr, 56);

    const even0 = addresses(word0) | column;
    const even1 = addresses(word1) | column;
    const even2 = addresses(word2) | column;
    const even3 = addresses(word3) | column;
    const even4 = addresses(word4) | column;
    const even5 = addresses(word5) | column;
    const even6 = addresses(word6) | column;
    const even7 = addresses(word7) | column;
    // Byte 0 of every word.
    at = <u32>even0 & 0xffff; store<u8>(at, load<u8>(at, THREADS) + 1, THREADS);
    at = <u32>even1 & 0xffff; store<u8>(at, load<u8>(at, THREADS + 8) + 1, THREADS + 8);
    at = <u32>even2 & 0xffff; store<u8>(at, load<u8>(at, THREADS + 16) + 1, THREADS + 16);
    at = <u32>even3 & 0xffff; store<u8>(at, load<u8>(at, THREADS + 24) + 1, THREADS + 24);
    at = <u32>even4 & 0xffff; store<u8>(at, load<u8>(at, THREADS + 32) + 1, THREADS + 32);
    at = <u32>even5 & 0xffff; store<u8>(at, load<u8>(at, THREADS + 40) + 1, THREADS + 40);
    at = <u32>even6 & 0xffff; store<u8>(at, load<u8>(at, THREADS + 48) + 1, THREADS + 48);
    at = <u32>even7 & 0xffff; store<u8>(at, load<u8>(at, THREADS + 56) + 1, THREADS + 56);
    at = <u32>(even0 >> 32) & 0xffff; store<u8>(at, load<u8>(at, THREADS + 4) + 1, THREADS + 4);
    at = <u32>(even1 >> 32) & 0xffff; store<u8>(at, load<u8>(at, THREADS + 12) + 1, THREADS + 12);
    at = <u32>(even2 >> 32) & 0xffff; store<u8>(at, load<u8>(at, THREADS + 20) + 1, THREADS + 20);
    at = <u32>(even3 >> 32) & 0xffff; store<u8>(at, load<u8>(at, THREADS + 28) + 1, THREADS + 28);
    at = <u32>(even4 >> 32) & 0xffff; store<u8>(at, load<u8>(at, THREADS + 36) + 1, THREADS + 36);
    at = <u32>(even5 >> 32) & 0xffff; store<u8>(at, load<u8>(at, THREADS + 44) + 1, THREADS + 44);
    at = <u32>(even6 >> 32) & 0xffff; store<u8>(at, load<u8>(at, THREADS + 52) + 1, THREADS + 52);
    at = <u32>(even7 >> 32) & 0xffff; store<u8>(at, load<u8>(at, THREADS + 60) + 1, THREADS + 60);
    // Byte 2 of every word.
    at = <u32>even0 >> 16; store<u8>(at, load<u8>(at, THREADS) + 1, THREADS);
    at = <u32>even1 >> 16; store<u8>(at, load<u8>(at, THREADS + 8) + 1, THREADS + 8);
    at = <u32>even2 >> 16; store<u8>(at, load<u8>(at, THREADS + 16) + 1, THREADS + 16);
    at = <u32>even3 >> 16; store<u8>(at, load<u8>(at, THREADS + 24) + 1, THREADS + 24);
    at = <u32>even4 >> 16; store<u8>(at, load<u8>(at, THREADS + 32) + 1, THREADS + 32);
    at = <u32>even5 >> 16; store<u8>(at, load<u8>(at, THREADS + 40) + 1, THREADS + 40);
    at = <u32>even6 >> 16; store<u8>(at, load<u8>(at, THREADS + 48) + 1, THREADS + 48);
    at = <u32>even7 >> 16; store<u8>(at, load<u8>(at, THREADS + 56) + 1, THREADS + 56);
    at = <u32>(even0 >> 48); store<u8>(at, load<u8>(at, THREADS + 4) + 1, THREADS + 4);
    at = <u32>(even1 >> 48); store<u8>(at, load<u8>(at, THREADS + 12) + 1, THREADS + 12);
    at = <u32>(even2 >> 48); store<u8>(at, load<u8>(at, THREADS + 20) + 1, THREADS + 20);
    at = <u32>(even3 >> 48); store<u8>(at, load<u8>(at, THREADS + 28) + 1, THREADS + 28);
    at = <u32>(even4 >> 48); store<u8>(at, load<u8>(at, THREADS + 36) + 1, THREADS + 36);
    at = <u32>(even5 >> 48); store<u8>(at, load<u8>(at, THREADS + 44) + 1, THREADS + 44);
    at = <u32>(even6 >> 48); store<u8>(at, load<u8>(at, THREADS + 52) + 1, THREADS + 52);
    at = <u32>(even7 >> 48); store<u8>(at, load<u8>(at, THREADS + 60) + 1, THREADS + 60);

    const odd0 = addresses(word0 >> 8) | column;
    const odd1 = addresses(word1 >> 8) | column;
    const odd2 = addresses(word2 >> 8) | column;
    const odd3 = addresses(word3 >> 8) | column;
    const odd4 = addresses(word4 >> 8) | column;
    const odd5 = addresses(word5 >> 8) | column;
    const odd6 = addresses(word6 >> 8) | column;
    const odd7 = addresses(word7 >> 8) | column;
    // Byte 1 of every word.
    at = <u32>odd0 & 0xffff; store<u8>(at, load<u8>(at, THREADS) + 1, THREADS);
    at = <u32>odd1 & 0xffff; store<u8>(at, load<u8>(at, THREADS + 8) + 1, THREADS + 8);
    at = <u32>odd2 & 0xffff; store<u8>(at, load<u8>(at, THREADS + 16) + 1, THREADS + 16);
    at = <u32>odd3 & 0xffff; store<u8>(at, load<u8>(at, THREADS + 24) + 1, THREADS + 24);
    at = <u32>odd4 & 0xffff; store<u8>(at, load<u8>(at, THREADS + 32) + 1, THREADS + 32);
    at = <u32>odd5 & 0xffff; store<u8>(at, load<u8>(at, THREADS + 40) + 1, THREADS + 40);
    at = <u32>odd6 & 0xffff; store<u8>(at, load<u8>(at, THREADS + 48) + 1, THREADS + 48);
    at = <u32>odd7 & 0xffff; store<u8>(at, load<u8>(at, THREADS + 56) + 1, THREADS + 56);
    at = <u32>(odd0 >> 32) & 0xffff; store<u8>(at, load<u8>(at, THREADS + 4) + 1, THREADS + 4);
    at = <u32>(odd1 >> 32) & 0xffff; store<u8>(at, load<u8>(at, THREADS + 12) + 1, THREADS + 12);
    at = <u32>(odd2 >> 32) & 0xffff; store<u8>(at, load<u8>(at, THREADS + 20) + 1, THREADS + 20);
    at = <u32>(odd3 >> 32) & 0xffff; store<u8>(at, load<u8>(at, THREADS + 28) + 1, THREADS + 28);
    at = <u32>(odd4 >> 32) & 0xffff; store<u8>(at, load<u8>(at, THREADS + 36) + 1, THREADS + 36);
    at = <u32>(odd5 >> 32) & 0xffff; store<u8>(at, load<u8>(at, THREADS + 44) + 1, THREADS + 44);
    at = <u32>(odd6 >> 32) & 0xffff; store<u8>(at, load<u8>(at, THREADS + 52) + 1, THREADS + 52);
    at = <u32>(odd7 >> 32) & 0xffff; store<u8>(at, load<u8>(at, THREADS + 60) + 1, THREADS + 60);
    // Byte 3 of every word.
    at = <u32>odd0 >> 16; store<u8>(at, load<u8>(at, THREADS) + 1, THREADS);
    at = <u32>odd1 >> 16; store<u8>(at, load<u8>(at, THREADS + 8) + 1, THREADS + 8);
    at = <u32>odd2 >> 16; store<u8>(at, load<u8>(at, THREADS + 16) + 1, THREADS + 16);
    at = <u32>odd3 >> 16; store<u8>(at, load<u8>(at, THREADS + 24) + 1, THREADS + 24);
    at = <u32>odd4 >> 16; store<u8>(at, load<u8>(at, THREADS + 32) + 1, THREADS + 32);
    at = <u32>odd5 >> 16; store<u8>(at, load<u8>(at, THREADS + 40) + 1, THREADS + 40);
    at = <u32>odd6 >> 16; store<u8>(at, load<u8>(at, THREADS + 48) + 1, THREADS + 48);
    at = <u32>odd7 >> 16; store<u8>(at, load<u8>(at, THREADS + 56) + 1, THREADS + 56);
    at = <u32>(odd0 >> 48); store<u8>(at, load<u8>(at, THREADS + 4) + 1, THREADS + 4);
    at = <u32>(odd1 >> 48); store<u8>(at, load<u8>(at, THREADS + 12) + 1, THREADS + 12);
    at = <u32>(odd2 >> 48); store<u8>(at, load<u8>(at, THREADS + 20) + 1, THREADS + 20);
    at = <u32>(odd3 >> 48); store<u8>(at, load<u8>(at, THREADS + 28) + 1, THREADS + 28);
    at = <u32>(odd4 >> 48); store<u8>(at, load<u8>(at, THREADS + 36) + 1, THREADS + 36);
    at = <u32>(odd5 >> 48); store<u8>(at, load<u8>(at, THREADS + 44) + 1, THREADS + 44);
    at = <u32>(odd6 >> 48); store<u8>(at, load<u8>(at, THREADS + 52) + 1, THREADS + 52);
    at = <u32>(odd7 >> 48); store<u8>(at, load<u8>(at, THREADS + 60) + 1, THREADS + 60);
    column += 0x0040004000400040;
  }
}

/** Bins fewer bytes than a row: at most one word for each thread, the last of which may be partial. */
function binRest(ptr: u32, n: u32): void {
  for (let i: u32 = 0; i < n; i++) {
    const b = <u32>load<u8>(ptr + i);
    const at = (((b << 6) | b) & 0x3f03) | (i & ~3);
    store<u8>(at, load<u8>(at, THREADS) + 1, THREADS);
  }
}

/** Adds every row to the block counts and clears it. */
function accumulate(pairs: bool): void {
  if (pairs) addPairs();
  else addSingletons();
  binned = 0;
}

/**
 * Sums rows as section 5.3 does. A vector has the words of four threads. As 16-bit pairs, [3,2,1,0]
 * = [*,2,*,0] + 256 * [3,*,1,*]. So the sum of the words minus 256 times the sum of the odd pairs is the sum of the
 * even ones, modulo 2^16. A pair sums to at most 64 threads x 252 = 16,128.
 */
function addPairs(): void {
  const zero = i32x4.splat(0);
  let count: u32 = 0;
  for (let row: u32 = 0; row < ROW * ROWS; row += ROW, count += 16) {
    let both = zero;
    let odd = zero;
    for (let at = row; at < row + ROW; at += 64) {
      const a = v128.load(at, THREADS);
      const b = v128.load(at, THREADS + 16);
      const c = v128.load(at, THREADS + 32);
      const d = v128.load(at, THREADS + 48);
      v128.store(at, zero, THREADS);
      v128.store(at, zero, THREADS + 16);
      v128.store(at, zero, THREADS + 32);
      v128.store(at, zero, THREADS + 48);
      both = i16x8.add(both, i16x8.add(i16x8.add(a, b), i16x8.add(c, d)));
      odd = i16x8.add(
        odd,
        i16x8.add(
          i16x8.add(i16x8.shr_u(a, 8), i16x8.shr_u(b, 8)),
          i16x8.add(i16x8.shr_u(c, 8), i16x8.shr_u(d, 8)),
        ),
      );
    }
    const even = i16x8.sub(both, i16x8.shl(odd, 8));
    // [bin 0, bin 1, bin 2, bin 3] of threads 0 and 2, then of 1 and 3; their sum; then both halves.
    const low = i16x8.shuffle(even, odd, 0, 8, 1, 9, 2, 10, 3, 11);
    const high = i16x8.shuffle(even, odd, 4, 12, 5, 13, 6, 14, 7, 15);
    const four = i16x8.add(low, high);
    const sums = i32x4.add(i32x4.extend_low_i16x8_u(four), i32x4.extend_high_i16x8_u(four));
    v128.store(count, i32x4.add(v128.load(count, COUNTS), sums), COUNTS);
  }
}

/** Sums rows without section 5.3: each byte is extracted and added to a sum of 32 bits. */
function addSingletons(): void {
  const zero = i32x4.splat(0);
  let count: u32 = 0;
  for (let row: u32 = 0; row < ROW * ROWS; row += ROW, count += 16) {
    let sum0 = zero;
    let sum1 = zero;
    let sum2 = zero;
    let sum3 = zero;
    for (let at = row; at < row + ROW; at += 64) {
      const a = v128.load(at, THREADS);
      const b = v128.load(at, THREADS + 16);
      const c = v128.load(at, THREADS + 32);
      const d = v128.load(at, THREADS + 48);
      v128.store(at, zero, THREADS);
      v128.store(at, zero, THREADS + 16);
      v128.store(at, zero, THREADS + 32);
      v128.store(at, zero, THREADS + 48);
      sum0 = i32x4.add(sum0, bytesOf(a, b, c, d, 0));
      sum1 = i32x4.add(sum1, bytesOf(a, b, c, d, 8));
      sum2 = i32x4.add(sum2, bytesOf(a, b, c, d, 16));
      sum3 = i32x4.add(sum3, bytesOf(a, b, c, d, 24));
    }
    store<u32>(count, load<u32>(count, COUNTS) + sumOf(sum0), COUNTS);
    store<u32>(count, load<u32>(count, COUNTS + 4) + sumOf(sum1), COUNTS + 4);
    store<u32>(count, load<u32>(count, COUNTS + 8) + sumOf(sum2), COUNTS + 8);
    store<u32>(count, load<u32>(count, COUNTS + 12) + sumOf(sum3), COUNTS + 12);
  }
}

/** Adds the bytes at one place of the words of four vectors. */
@inline function bytesOf(a: v128, b: v128, c: v128, d: v128, shift: i32): v128 {
  const low = i32x4.splat(0xff);
  const first = i32x4.add(v128.and(i32x4.shr_u(a, shift), low), v128.and(i32x4.shr_u(b, shift), low));
  return i32x4.add(first, i32x4.add(v128.and(i32x4.shr_u(c, shift), low), v128.and(i32x4.shr_u(d, shift), low)));
}

/** Adds the four lanes of a vector. */
@inline function sumOf(v: v128): u32 {
  return i32x4.extract_lane(v, 0) + i32x4.extract_lane(v, 1) + i32x4.extract_lane(v, 2) + i32x4.extract_lane(v, 3);
}
