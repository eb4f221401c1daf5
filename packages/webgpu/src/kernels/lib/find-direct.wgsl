// rank = key - first + 1 (core's lowering.ts), 0 below, bins + 1 above: integer axes over integers. firstKey and
// lastKey are the keys next to those of the bins, if such keys exist. keyBase is the key before the first bin's, or -1.

// The bit that orders integers, and whether keys below firstKey and above lastKey exist.
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
