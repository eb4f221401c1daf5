// Copies of the lookup of two-word keys in workgroup memory, staggered as per-lane's counters are.
//
//   thresholds[n * 2 L]           low word of entry i of lane l at i * 2 L + l mod L, high word L further
//   starts[(cells + 1) * S]       half as many copies, at which two lanes may meet

override LOOKUP_WORDS: u32;
override LOOKUP_REPLICAS: u32;
override START_COPIES: u32;

var<workgroup> copies: array<u32, LOOKUP_WORDS>;
var<private> thresholdLane: u32;
var<private> startLane: u32;

fn prepareLookup(thread: u32, threads: u32) {
  let starts = params.thresholds * 2u * LOOKUP_REPLICAS;
  thresholdLane = thread % LOOKUP_REPLICAS;
  startLane = starts + thread % START_COPIES;
  for (var i = thread; i < starts; i += threads) {
    copies[i] = lookup[i / LOOKUP_REPLICAS];
  }
  if (HAS_STARTS) {
    for (var i = thread; i < (params.lastCell + 1u) * START_COPIES; i += threads) {
      copies[starts + i] = lookup[2u * params.thresholds + i / START_COPIES];
    }
  }
}

fn threshold(i: u32) -> vec2<u32> {
  let at = 2u * i * LOOKUP_REPLICAS + thresholdLane;
  return vec2(copies[at], copies[at + LOOKUP_REPLICAS]);
}

fn startOf(cell: u32) -> u32 {
  if (HAS_STARTS) {
    return copies[cell * START_COPIES + startLane];
  }
  return cell;
}
