// A key as its leading and its trailing word: one word.

fn leading(bits: u32) -> u32 {
  return keyOf(bits);
}

fn trailing(bits: u32) -> u32 {
  return 0u;
}
