// weighted-collision: one histogram per block (lib/one-table.wgsl), to which all of its threads add with atomics. A
// thread reads several documents before it adds the first (N_unroll: IN_FLIGHT units).
//
// Sums of integers have 64 bits, so they need no flush before the end. Sums of floats are flushed after 16,384
// documents, because each addition to them is rounded.
//
// Bound: workgroup atomics; threads that meet in a cell wait for each other. WebGPU has no float atomics, so an
// addition is a loop of compare-and-exchange.
// Source: Xu et al., 4.3 Collision Method, Figure 2, Table 6.

fn prepare(thread: u32) {}

fn add(feature: u32, bin: u32, weight: u32, square: u32) {
  addToTable(bin, 1u, weight, square);
}

fn flush(thread: u32) {
  flushTable(thread);
}

fn finish(thread: u32) {
  flush(thread);
}
