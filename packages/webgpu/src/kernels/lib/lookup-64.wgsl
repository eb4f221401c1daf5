// The lookup of two-word keys in global memory: thresholds[n + padding] of low and high word, starts[cells + 1].

fn prepareLookup(thread: u32, threads: u32) {}

fn threshold(i: u32) -> vec2<u32> {
  return vec2(lookup[2u * i], lookup[2u * i + 1u]);
}

fn startOf(cell: u32) -> u32 {
  if (HAS_STARTS) {
    return lookup[params.startsAt + cell];
  }
  return cell;
}
