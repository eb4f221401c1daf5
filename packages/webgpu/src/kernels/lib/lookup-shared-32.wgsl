// Copies of the lookup in workgroup memory, staggered like per-lane's counters. Lanes that look up different entries do
// not meet in a bank.
//
//   thresholds[n + padding][L]    entry i of lane l at [i][l mod L]
//   starts[cells + 1][S]          the same with half as many copies, so two lanes may meet
//
// Before this text: const LOOKUP_REPLICAS, START_COPIES.

override THRESHOLDS: u32;
override STARTS: u32;

var<workgroup> thresholds: array<array<u32, LOOKUP_REPLICAS>, THRESHOLDS>;
var<workgroup> starts: array<array<u32, START_COPIES>, STARTS>;
var<private> thresholdLane: u32;
var<private> startLane: u32;

fn prepareLookup(thread: u32, threads: u32) {
  thresholdLane = thread % LOOKUP_REPLICAS;
  startLane = thread % START_COPIES;
  for (var i = thread; i < THRESHOLDS * LOOKUP_REPLICAS; i += threads) {
    let entry = i / LOOKUP_REPLICAS;
    thresholds[entry][i % LOOKUP_REPLICAS] = lookup[entry];
  }
  if (HAS_STARTS) {
    for (var i = thread; i < STARTS * START_COPIES; i += threads) {
      starts[i / START_COPIES][i % START_COPIES] = lookup[params.startsAt + i / START_COPIES];
    }
  }
}

fn threshold(i: u32) -> u32 {
  return thresholds[i][thresholdLane];
}

fn startOf(cell: u32) -> u32 {
  if (HAS_STARTS) {
    return starts[cell][startLane];
  }
  return cell;
}
