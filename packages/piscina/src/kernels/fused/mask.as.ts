// Masks: a sample whose byte is 0 moves to the first cell. The caller takes the number of these samples back from it.
//
//   ptr      a byte per sample
//   block    as in columns.as.ts or narrow.as.ts
//
// Bound: a handful of vector instructions for 4, 8 or 16 samples. No branch depends on a sample.
// Source: polybin.

/** Writes a byte per bit, from the lowest bit of each byte on, for n samples rounded up to 16. */
export function spread_bits(ptr: u32, out: u32, n: u32): void {
  const eight = v128.splat<u8>(0);
  const each = v128.splat<u64>(0x8040201008040201);
  for (const end = out + n; out < end; out += 16, ptr += 2) {
    const bits = i16x8.splat(<i16>load<u16>(ptr));
    const bytes = v128.shuffle<u8>(bits, eight, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1);
    v128.store(out, v128.and(bytes, each));
  }
}

/** @returns the number of masked samples among n. Those after them are moved as well, and not counted */
export function wide_mask(ptr: u32, block: u32, n: u32, first: u32): u32 {
  const masked = zeros(ptr, n);
  const out = i32x4.splat(first);
  const none = i32x4.splat(0);
  for (const end = block + n * 4; block < end; block += 16, ptr += 4) {
    const bytes = i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(ptr)));
    v128.store(block, v128.bitselect(out, v128.load(block), i32x4.eq(bytes, none)));
  }
  return masked;
}

/** As wide_mask, for 16-bit cells. The first cell is 0. */
export function narrow_mask(ptr: u32, block: u32, n: u32): u32 {
  const masked = zeros(ptr, n);
  const none = i16x8.splat(0);
  for (const end = block + n * 2; block < end; block += 16, ptr += 8) {
    const bytes = i16x8.extend_low_i8x16_u(v128.load64_zero(ptr));
    v128.store(block, v128.and(v128.load(block), i16x8.ne(bytes, none)));
  }
  return masked;
}

/** Returns the number of bytes that are 0. */
function zeros(ptr: u32, n: u32): u32 {
  const none = i8x16.splat(0);
  let found: u32 = 0;
  const end = ptr + n;
  for (const whole = ptr + (n & ~15); ptr < whole; ptr += 16) {
    found += popcnt<u32>(<u32>i8x16.bitmask(i8x16.eq(v128.load(ptr), none)));
  }
  for (; ptr < end; ptr++) found += <u32>(load<u8>(ptr) == 0);
  return found;
}
