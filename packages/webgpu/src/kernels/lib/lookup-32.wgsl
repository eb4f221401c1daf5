// The lookup of one-word keys in global memory: thresholds[n], starts[cells + 1].

fn prepareLookup(thread: u32, threads: u32) {}

fn threshold(i: u32) -> u32 {
  return lookup[i];
}

fn startOf(cell: u32) -> u32 {
  if (HAS_STARTS) {
    return lookup[params.thresholds + cell];
  }
  return cell;
}
