// Keys of 32-bit floats (core's keys.ts): all bits of negative numbers are flipped, and others have the sign bit set.
// NaN and infinity are recognized by their bits, because WGSL may assume that they do not occur.

fn keyOf(bits: u32) -> u32 {
  return bits ^ (u32(i32(bits) >> 31u) | 0x80000000u);
}

fn isNan(bits: u32) -> bool {
  return (bits & 0x7fffffffu) > 0x7f800000u;
}

fn isFinite(bits: u32) -> bool {
  return (bits & 0x7f800000u) != 0x7f800000u;
}
