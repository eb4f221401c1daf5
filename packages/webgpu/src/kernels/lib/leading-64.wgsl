// A key as its leading and its trailing word.

fn leading(bits: vec2<u32>) -> u32 {
  return keyOf(bits).y;
}

fn trailing(bits: vec2<u32>) -> u32 {
  return keyOf(bits).x;
}
