// Keys of 64-bit floats as two words (core's keys.ts), low word first. WGSL has no such numbers, so integers do all
// work.

fn keyOf(bits: vec2<u32>) -> vec2<u32> {
  let sign = u32(i32(bits.y) >> 31u);
  return bits ^ vec2(sign, sign | 0x80000000u);
}

fn isNan(bits: vec2<u32>) -> bool {
  let high = bits.y & 0x7fffffffu;
  return high > 0x7ff00000u || (high == 0x7ff00000u && bits.x != 0u);
}

fn isFinite(bits: vec2<u32>) -> bool {
  return (bits.y & 0x7ff00000u) != 0x7ff00000u;
}
