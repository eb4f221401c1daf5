// Finds a sample's rank, which is the number of thresholds that are at most its key (core's ranks.ts).
//
//   sample -> key -> a place on a line, or the key itself -> cell -> lowest rank there -> one or more halvings -> rank
//
// Floats only guess, and only finite ones between the thresholds; integers decide. Every sample takes the same steps,
// whatever the data. The padding after the thresholds is reached by the largest key only, so a few halvings need no
// check for the end.

override ON_LINE: bool;
override HAS_STARTS: bool;
// The number of halvings if there are few. 0 means that params.firstStep determines it.
override HALVINGS: u32;
// 2^CELL_BITS is greater than the number of cells.
override CELL_BITS: u32;

fn cellOf(key: u32) -> u32 {
  if (!ON_LINE) {
    return min((max(key, params.keyBase) - params.keyBase) >> params.keyShift, params.lastCell);
  }
  let along = clamp(alongLine(clamp(key, params.firstKey, params.lastKey)), 0.0, 1.0);
  // The sum of 2^CELL_BITS, the place and one half. The upper bits of its mantissa are the nearest cell, whatever a
  // device's rounding.
  let place = fma(along, params.places, params.half);
  return (bitcast<u32>(place) >> (23u - CELL_BITS)) - ((127u + CELL_BITS) << CELL_BITS);
}

fn advanced(rank: u32, step: u32, key: u32) -> u32 {
  return rank + select(0u, step, threshold(rank + step - 1u) <= key);
}

fn find(bits: u32) -> u32 {
  let key = keyOf(bits);
  var rank = startOf(cellOf(key));
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
  return settled(rank, bits);
}
