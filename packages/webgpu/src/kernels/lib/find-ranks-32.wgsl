// A sample's rank, how many thresholds are at most its key (core's ranks.ts).
//
//   sample -> key -> a place on a line, or the key itself -> cell -> least rank there -> a halving or a few -> rank
//
// Floats only guess, and only finite ones that lie between the thresholds; integers decide. Every sample takes the
// same steps, whatever the data. Behind the thresholds lie some that no key but the largest reaches, so a few halvings
// need not look where they end.

override ON_LINE: bool;
override HAS_STARTS: bool;
// Halvings, where they are few; 0: params.firstStep says.
override HALVINGS: u32;
// 2^CELL_BITS is more than all cells.
override CELL_BITS: u32;

fn cellOf(key: u32) -> u32 {
  if (!ON_LINE) {
    return min((max(key, params.keyBase) - params.keyBase) >> params.keyShift, params.lastCell);
  }
  let along = clamp(alongLine(clamp(key, params.firstKey, params.lastKey)), 0.0, 1.0);
  // 2^CELL_BITS, the place and a half: the upper bits of the mantissa are the nearest cell, however a device rounds.
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
