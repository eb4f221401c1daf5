// Where on the line that guesses ranks an integer lies (find-ranks-32.wgsl).

// How far along the line a key's sample lies, 0 to 1.
fn alongLine(key: u32) -> f32 {
  return f32(key - params.firstKey) * params.inverse;
}
