// A sample's rank, how many thresholds are at most its key, for keys of two words (core's ranks.ts).
//
//   sample -> key -> high word -> cell -> least rank there -> halvings -> rank
//
// Every sample takes the same steps, whatever the data.

fn find(bits: vec2<u32>) -> u32 {
  let key = keyOf(bits);
  let cell = (max(key.y, params.keyBase) - params.keyBase) >> params.keyShift;
  var rank = startOf(min(cell, params.lastCell));
  for (var step = params.firstStep; step > 0u; step >>= 1u) {
    let next = rank + step;
    if (next <= params.thresholds) {
      let least = threshold(next - 1u);
      if (least.y < key.y || (least.y == key.y && least.x <= key.x)) {
        rank = next;
      }
    }
  }
  return select(rank, params.bins + 2u, isNan(bits));
}
