// No mask.

fn isKept(sample: u32) -> bool {
  return true;
}
