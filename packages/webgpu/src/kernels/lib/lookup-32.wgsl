// The lookup of one-word keys in global memory: thresholds[n + padding], starts[cells + 1].

fn prepareLookup(thread: u32, threads: u32) {}

fn threshold(i: u32) -> u32 {
  return lookup[i];
}

fn startOf(cell: u32) -> u32 {
  if (HAS_STARTS) {
    return lookup[params.startsAt + cell];
  }
  return cell;
}
