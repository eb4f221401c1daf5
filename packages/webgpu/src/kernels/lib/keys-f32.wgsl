// Keys of 32-bit floats (core's keys.ts): negative ones with all bits flipped, others with the sign bit set. NaN
// and infinity are told by their bits: WGSL may assume that there are none.

fn keyOf(bits: u32) -> u32 {
  return bits ^ (u32(i32(bits) >> 31u) | 0x80000000u);
}

fn isNan(bits: u32) -> bool {
  return (bits & 0x7fffffffu) > 0x7f800000u;
}

fn isFinite(bits: u32) -> bool {
  return (bits & 0x7f800000u) != 0x7f800000u;
}
