// Finds a sample's rank, which is the number of thresholds that are at most its key, for keys of two words (core's
// ranks.ts).
//
//   sample -> key -> high word -> a place on a line, or the word itself -> cell -> lowest rank there -> halvings -> rank
//
// It works as find-ranks-32.wgsl does. The guess uses only the high word, as a 32-bit float (core's `narrowed`).

override ON_LINE: bool;
override HAS_STARTS: bool;
// The number of halvings if there are few. 0 means that params.firstStep determines it.
override HALVINGS: u32;
// 2^CELL_BITS is greater than the number of cells.
override CELL_BITS: u32;
// No threshold is negative.
override NONNEGATIVE: bool;

// High words of the smallest and the largest double whose exponents 32-bit floats have.
const LEAST = 0x38000000u;
const MOST = 0x47efffffu;

// Keys of non-negative numbers begin at 2^31. Keys of negative numbers descend from there.
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
  // Evaluates both comparisons: branches would cost more than they save.
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
