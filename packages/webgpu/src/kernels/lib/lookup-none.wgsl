// For lowerings without a lookup.

fn prepareLookup(thread: u32, threads: u32) {}
