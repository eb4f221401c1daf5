// rank = key - first + 1 (core's lowering.ts), 0 below, bins + 1 above: integer axes over integers.

fn find(bits: u32) -> u32 {
  let key = bits ^ params.flip;
  let within = clamp(key, params.firstKey, params.lastKey) - params.firstKey + 1u;
  return select(select(within, 0u, key < params.firstKey), params.bins + 1u, key > params.lastKey);
}
