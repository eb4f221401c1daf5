// rank = key - first + 1 (core's lowering.ts), 0 below, bins + 1 above: integer axes over integers. firstKey and lastKey
// are the keys next to the bins' own, where there are any; keyBase is the first one's, or -1.

// The bit that orders integers, and whether there are keys below firstKey and above lastKey.
override FLIP: u32;
override BELOW: bool;
override ABOVE: bool;

fn find(bits: u32) -> u32 {
  var key = bits ^ FLIP;
  if (BELOW) {
    key = max(key, params.firstKey);
  }
  if (ABOVE) {
    key = min(key, params.lastKey);
  }
  return key - params.keyBase;
}
