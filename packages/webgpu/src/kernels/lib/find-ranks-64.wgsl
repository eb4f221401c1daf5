// A sample's rank, how many thresholds are at most its key, for keys of two words (core's ranks.ts).
//
//   sample -> key -> high word -> cell -> least rank there -> halvings -> rank
//
// Every sample takes the same steps, whatever the data.

override HAS_STARTS: bool;
// Halvings, where they are few; 0: params.firstStep says.
override HALVINGS: u32;

fn advanced(rank: u32, step: u32, key: vec2<u32>) -> u32 {
  let next = rank + step;
  let least = threshold(next - 1u);
  let reached = (least.y < key.y) | ((least.y == key.y) & (least.x <= key.x));
  // All at once: branches would cost more than they save.
  return select(rank, next, (next <= params.thresholds) & reached);
}

fn find(bits: vec2<u32>) -> u32 {
  let key = keyOf(bits);
  let cell = (max(key.y, params.keyBase) - params.keyBase) >> params.keyShift;
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
