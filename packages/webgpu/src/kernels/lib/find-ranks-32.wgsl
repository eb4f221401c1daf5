// A sample's rank, how many thresholds are at most its key (core's ranks.ts).
//
//   sample -> key -> a place on a line, or the key itself -> cell -> least rank there -> a halving or a few -> rank
//
// Floats only guess, and only finite ones that lie between the thresholds; integers decide. Every sample takes the
// same steps, whatever the data.

override ON_LINE: bool;
override HAS_STARTS: bool;
// Halvings, where they are few; 0: params.firstStep says.
override HALVINGS: u32;

fn advanced(rank: u32, step: u32, key: u32) -> u32 {
  let next = rank + step;
  // Both at once: a branch around the second would cost more than it saves.
  return select(rank, next, (next <= params.thresholds) & (threshold(next - 1u) <= key));
}

fn find(bits: u32) -> u32 {
  let key = keyOf(bits);
  var cell: u32;
  if (ON_LINE) {
    let along = alongLine(clamp(key, params.firstKey, params.lastKey));
    cell = u32(clamp(along, 0.0, 1.0) * f32(params.lastCell) + 0.5);
  } else {
    cell = (max(key, params.keyBase) - params.keyBase) >> params.keyShift;
  }
  var rank = startOf(min(cell, params.lastCell));
  if (HALVINGS == 0u) {
    for (var step = params.firstStep; step > 0u; step >>= 1u) {
      rank = advanced(rank, step, key);
    }
  }
  if (HALVINGS > 1u) {
    rank = advanced(rank, 2u, key);
  }
  if (HALVINGS > 0u) {
    rank = advanced(rank, 1u, key);
  }
  return select(rank, params.bins + 2u, isNan(bits));
}
