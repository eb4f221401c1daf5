// Where on the line that guesses ranks a float lies (find-ranks-32.wgsl).

// How far along the line the sample of a finite key lies, 0 to 1.
fn alongLine(key: u32) -> f32 {
  let value = bitcast<f32>(select(~key, key ^ 0x80000000u, key >= 0x80000000u));
  return (value - params.origin) * params.inverse;
}
