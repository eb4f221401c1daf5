// A table of ranks in global memory.

fn prepareLookup(thread: u32, threads: u32) {}

fn entryOf(bits: u32) -> u32 {
  return lookup[bits];
}
