// rank = table[bits]: 8-bit samples, for algorithms that cannot count them raw.

fn find(bits: u32) -> u32 {
  return entryOf(bits);
}
