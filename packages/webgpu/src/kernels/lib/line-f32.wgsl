// The place of a float on the line that guesses ranks, and the last step for its rank (find-ranks-32.wgsl).

// No threshold is negative.
override NONNEGATIVE: bool;

// How far along the line the sample of a finite key lies, 0 to 1.
fn alongLine(key: u32) -> f32 {
  let sign = select(~u32(i32(key) >> 31u), 0u, NONNEGATIVE);
  let value = bitcast<f32>(key ^ (sign | 0x80000000u));
  return (value - params.origin) * params.inverse;
}

fn settled(rank: u32, bits: u32) -> u32 {
  return select(rank, params.bins + 2u, isNan(bits));
}
