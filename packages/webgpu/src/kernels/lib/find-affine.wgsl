// rank = (distance * scale + offset) >> shift: evenly spaced edges over 16-bit samples, flow included (core's affine.ts).
//
//   short  distance, 16 bits  x  scale, so that everything stays within 32 bits
//   long   distance, 16 bits  x  [ scaleHigh : 16 | scaleLow : 16 ]  +  [ offsetHigh : 32 | offsetLow : 16 ]

// The shift of the short form. 0 selects the long form.
override SHIFT: u32;
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
  if (SHIFT > 0u) {
    // The offset includes the key's base.
    return (key * params.scaleLow + params.offsetLow) >> SHIFT;
  }
  let distance = key - params.firstKey;
  let low = (distance * params.scaleLow + params.offsetLow) >> 16u;
  return (distance * params.scaleHigh + (low + params.offsetHigh)) >> 16u;
}
