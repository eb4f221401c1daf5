// fused: counters in global memory, which the second-level cache holds.
//
//   global memory   counts[cell]
//
// A thread adds a run of equal cells at once.
// Bound: the second-level cache's atomics, one per run.

var<private> lastCell: u32;
var<private> run: u32;

fn prepareTable(thread: u32, first: u32, cells: u32) {}

fn countCell(cell: u32) {
  if (cell != lastCell) {
    addRun();
    lastCell = cell;
  }
  run++;
}

fn countFour(cells: vec4<u32>) {
  countCell(cells.x);
  countCell(cells.y);
  countCell(cells.z);
  countCell(cells.w);
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
