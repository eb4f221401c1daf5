// The leading and the trailing word of a key that has one word.

fn leading(bits: u32) -> u32 {
  return keyOf(bits);
}

fn trailing(bits: u32) -> u32 {
  return 0u;
}
