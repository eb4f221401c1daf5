// Copies of a table of ranks in workgroup memory, staggered like per-lane's counters: entry i of lane l at [i][l mod L].
//
// Before this text: const LOOKUP_REPLICAS.

override ENTRIES: u32;

var<workgroup> entries: array<array<u32, LOOKUP_REPLICAS>, ENTRIES>;
var<private> entryLane: u32;

fn prepareLookup(thread: u32, threads: u32) {
  entryLane = thread % LOOKUP_REPLICAS;
  for (var i = thread; i < ENTRIES * LOOKUP_REPLICAS; i += threads) {
    entries[i / LOOKUP_REPLICAS][i % LOOKUP_REPLICAS] = lookup[i / LOOKUP_REPLICAS];
  }
}

fn entryOf(bits: u32) -> u32 {
  return entries[bits][entryLane];
}
