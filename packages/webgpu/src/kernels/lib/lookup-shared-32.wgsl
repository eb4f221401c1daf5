// Copies of the lookup in workgroup memory, staggered as per-lane's counters are, so that lanes which look up
// different entries do not meet in a bank.
//
//   thresholds[n * L]             entry i of lane l at i * L + l mod L
//   starts[(cells + 1) * S]       the same; half as many copies, at which two lanes may meet

override LOOKUP_WORDS: u32;
override LOOKUP_REPLICAS: u32;
override START_COPIES: u32;

var<workgroup> copies: array<u32, LOOKUP_WORDS>;
var<private> thresholdLane: u32;
var<private> startLane: u32;

fn prepareLookup(thread: u32, threads: u32) {
  thresholdLane = thread % LOOKUP_REPLICAS;
  startLane = params.thresholds * LOOKUP_REPLICAS + thread % START_COPIES;
  for (var i = thread; i < params.thresholds * LOOKUP_REPLICAS; i += threads) {
    copies[i] = lookup[i / LOOKUP_REPLICAS];
  }
  if (HAS_STARTS) {
    for (var i = thread; i < (params.lastCell + 1u) * START_COPIES; i += threads) {
      copies[params.thresholds * LOOKUP_REPLICAS + i] = lookup[params.thresholds + i / START_COPIES];
    }
  }
}

fn threshold(i: u32) -> u32 {
  return copies[i * LOOKUP_REPLICAS + thresholdLane];
}

fn startOf(cell: u32) -> u32 {
  if (HAS_STARTS) {
    return copies[cell * START_COPIES + startLane];
  }
  return cell;
}
