// fused: counters in global memory, which the second-level cache holds.
//
//   global memory   counts[cell]
//
// A thread adds a run of equal cells at once.
// Bound: the second-level cache's atomics, one per run.

var<private> lastCell: u32;
var<private> run: u32;

fn prepareTable(thread: u32, first: u32, cells: u32) {}

fn countIf(kept: bool, cell: u32) {
  if (!kept) {
    return;
  }
  if (cell != lastCell) {
    addRun();
    lastCell = cell;
  }
  run++;
}

fn addRun() {
  if (run != 0u) {
    atomicAdd(&counts[lastCell], run);
  }
  run = 0u;
}

fn addTable(thread: u32) {
  addRun();
}
