// A sample's rank, how many thresholds are at most its key (core's ranks.ts).
//
//   sample -> key -> a place on a line, or the key itself -> cell -> least rank there -> a halving or a few -> rank
//
// Floats only guess, and only finite ones that lie between the thresholds; integers decide. Every sample takes the
// same steps, whatever the data.

fn find(bits: u32) -> u32 {
  let key = keyOf(bits);
  var cell: u32;
  if (params.onLine == 1u) {
    let along = alongLine(clamp(key, params.firstKey, params.lastKey));
    cell = u32(clamp(along, 0.0, 1.0) * f32(params.lastCell) + 0.5);
  } else {
    cell = (max(key, params.keyBase) - params.keyBase) >> params.keyShift;
  }
  var rank = startOf(min(cell, params.lastCell));
  for (var step = params.firstStep; step > 0u; step >>= 1u) {
    let next = rank + step;
    if (next <= params.thresholds && threshold(next - 1u) <= key) {
      rank = next;
    }
  }
  return select(rank, params.bins + 2u, isNan(bits));
}
