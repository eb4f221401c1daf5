// rank = floor((key - first) * scale / 2^32) + 1: evenly spaced edges over 16-bit samples, scale < 2^31.
//
//   distance, 16 bits  x  [ scaleHigh : 15 | scaleLow : 16 ]

fn find(bits: u32) -> u32 {
  let key = bits ^ params.flip;
  let distance = clamp(key, params.firstKey, params.lastKey) - params.firstKey;
  let bin = (distance * params.scaleHigh + ((distance * params.scaleLow) >> 16u)) >> 16u;
  let within = min(bin + 1u, params.bins);
  return select(select(within, 0u, key < params.firstKey), params.bins + 1u, key > params.lastKey);
}
