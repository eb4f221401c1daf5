// weighted-collision: one histogram a block (lib/one-table.wgsl), which all its threads add to with atomics. A thread
// reads several documents before it adds the first (N_unroll: IN_FLIGHT units).
//
// Sums of integers have 64 bits, so nothing is flushed on the way; float ones are, after 16,384 documents, since each
// addition to them is rounded.
//
// Bound: workgroup atomics; threads that meet in a cell wait for one another. WebGPU has no float atomics: an addition is
// a loop of compare-and-exchange.
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
