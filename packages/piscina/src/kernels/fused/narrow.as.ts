// Blocks of columns that all have bytes, with at most 65,536 cells: a cell takes 16 bits.
//
//   block    [n rounded up to 16] 16 bits    the cell of each sample
//
// Bound: about seven vector instructions for 16 bytes of a column.
// Source: polybin.

/** Begins a block of n samples. */
export function narrow_begin(block: u32, n: u32): void {
  memory.fill(block, 0, n * 2);
}

/** Adds a column's part: the upper bits of a byte, from the bit `shift` on, times `stride` cells. */
export function narrow_bytes(ptr: u32, block: u32, n: u32, stride: u32, shift: u32): void {
  const step = i16x8.splat(<i16>stride);
  for (const end = block + n * 2; block < end; block += 32, ptr += 16) {
    const bytes = i8x16.shr_u(v128.load(ptr), shift);
    const low = i16x8.mul(i16x8.extend_low_i8x16_u(bytes), step);
    const high = i16x8.mul(i16x8.extend_high_i8x16_u(bytes), step);
    v128.store(block, i16x8.add(v128.load(block), low));
    v128.store(block, i16x8.add(v128.load(block, 16), high), 16);
  }
}
