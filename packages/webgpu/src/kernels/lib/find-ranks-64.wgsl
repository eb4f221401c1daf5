// A sample's rank, how many thresholds are at most its key, for keys of two words (core's ranks.ts).
//
//   sample -> key -> high word -> a place on a line, or the word itself -> cell -> least rank there -> halvings -> rank
//
// As find-ranks-32.wgsl. The guess is made of the high word alone, as a 32-bit float (core's `narrowed`).

override ON_LINE: bool;
override HAS_STARTS: bool;
// Halvings, where they are few; 0: params.firstStep says.
override HALVINGS: u32;
// 2^CELL_BITS is more than all cells.
override CELL_BITS: u32;
// No threshold is negative.
override NONNEGATIVE: bool;

// High words of the least and the largest double that have the exponents of 32-bit floats.
const LEAST = 0x38000000u;
const MOST = 0x47efffffu;

// Keys of what is not negative begin at 2^31; of what is, they go down from there.
fn narrowed(high: u32) -> f32 {
  if (NONNEGATIVE) {
    return bitcast<f32>((clamp(high, 0x80000000u + LEAST, 0x80000000u + MOST) - (0x80000000u + LEAST)) << 3u);
  }
  let sign = ~u32(i32(high) >> 31u);
  let magnitude = (high ^ sign) & 0x7fffffffu;
  return bitcast<f32>(((clamp(magnitude, LEAST, MOST) - LEAST) << 3u) | (sign & 0x80000000u));
}

fn cellOf(high: u32) -> u32 {
  if (!ON_LINE) {
    return min((max(high, params.keyBase) - params.keyBase) >> params.keyShift, params.lastCell);
  }
  let value = narrowed(clamp(high, params.firstKey, params.lastKey));
  let along = clamp((value - params.origin) * params.inverse, 0.0, 1.0);
  let place = fma(along, params.places, params.half);
  return (bitcast<u32>(place) >> (23u - CELL_BITS)) - ((127u + CELL_BITS) << CELL_BITS);
}

fn advanced(rank: u32, step: u32, key: vec2<u32>) -> u32 {
  let least = threshold(rank + step - 1u);
  // All at once: branches would cost more than they save.
  let reached = (least.y < key.y) | ((least.y == key.y) & (least.x <= key.x));
  return rank + select(0u, step, reached);
}

fn find(bits: vec2<u32>) -> u32 {
  let key = keyOf(bits);
  var rank = startOf(cellOf(key.y));
  if (HALVINGS == 0u) {
    for (var step = params.firstStep; step > 0u; step >>= 1u) {
      if (rank + step <= params.thresholds) {
        rank = advanced(rank, step, key);
      }
    }
  }
  if (HALVINGS > 2u) {
    rank = advanced(rank, 4u, key);
  }
  if (HALVINGS > 1u) {
    rank = advanced(rank, 2u, key);
  }
  if (HALVINGS > 0u) {
    rank = advanced(rank, 1u, key);
  }
  return select(rank, params.bins + 2u, isNan(bits));
}
