// rank = key - first + 1 (core's lowering.ts), 0 below, bins + 1 above: integer axes over integers. firstKey and lastKey
// are the keys next to the bins' own, where there are any; keyBase is the first one's, or -1.

fn find(bits: u32) -> u32 {
  return clamp(bits ^ params.flip, params.firstKey, params.lastKey) - params.keyBase;
}
