// The leading and the trailing word of a key that has two.

fn leading(bits: vec2<u32>) -> u32 {
  return keyOf(bits).y;
}

fn trailing(bits: vec2<u32>) -> u32 {
  return keyOf(bits).x;
}
