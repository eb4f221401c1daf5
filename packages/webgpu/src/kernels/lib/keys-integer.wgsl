// Keys of integers of up to 32 bits (core's keys.ts): the sign bit, if the type has one, is flipped.

fn keyOf(bits: u32) -> u32 {
  return bits ^ params.flip;
}

fn isNan(bits: u32) -> bool {
  return false;
}

fn isFinite(bits: u32) -> bool {
  return true;
}
