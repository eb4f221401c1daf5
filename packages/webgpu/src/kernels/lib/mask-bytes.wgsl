// A mask of a byte per sample.

fn isKept(sample: u32) -> bool {
  let at = params.firstMask + sample;
  return extractBits(mask[at / 4u], at % 4u * 8u, 8u) != 0u;
}
