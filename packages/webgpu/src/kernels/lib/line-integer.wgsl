// The place of an integer on the line that guesses ranks, and the last step for its rank (find-ranks-32.wgsl).

// How far along the line a key's sample lies, 0 to 1.
fn alongLine(key: u32) -> f32 {
  return f32(key - params.firstKey) * params.inverse;
}

// The largest key also reaches the padding after the thresholds.
fn settled(rank: u32, bits: u32) -> u32 {
  return min(rank, params.thresholds);
}
