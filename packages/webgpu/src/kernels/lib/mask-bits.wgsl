// A mask of a bit per sample, the first in the lowest bit.

fn isKept(sample: u32) -> bool {
  let at = params.firstMask + sample;
  return extractBits(mask[at / 32u], at % 32u, 1u) != 0u;
}
