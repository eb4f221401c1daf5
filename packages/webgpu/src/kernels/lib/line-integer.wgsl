// Where on the line that guesses ranks an integer lies, and what is told of it at the end (find-ranks-32.wgsl).

// How far along the line a key's sample lies, 0 to 1.
fn alongLine(key: u32) -> f32 {
  return f32(key - params.firstKey) * params.inverse;
}

// The largest key reaches what lies behind the thresholds.
fn settled(rank: u32, bits: u32) -> u32 {
  return min(rank, params.thresholds);
}
