// Folds the counts of cells into the form that users get, for users whose counts stay on the device. Cells go to the
// bins or the flow that the lowering's table gives.
//
//   counts[channel][cells, 3] -> scratch[to + channel * (bins + 3)][bins, underflow, overflow, NaN]
//
// A thread computes one number, the sum of the cells that belong to it. So no two threads write the same word, and no
// word has to be cleared. Without a table the cells are the bins. Bound: with a table, one read of each of its
// entries: 1, 64 or 256.
// Source: polybin; core's merge.ts does the same on the host.

override THREADS: u32;
override TABLE: bool;
override ADD: bool;

@compute @workgroup_size(THREADS)
fn fold(@builtin(global_invocation_id) id: vec3<u32>) {
  let codes = params.bins + 3u;
  let code = id.x;
  if (code >= codes) {
    return;
  }
  let first = id.y * (params.cells + 3u);
  var sum = 0u;
  if (TABLE) {
    for (var cell = 0u; cell < params.cells; cell++) {
      if (lookup[cell] == code) {
        sum += atomicLoad(&counts[first + cell]);
      }
    }
  } else {
    sum = atomicLoad(&counts[first + code]);
  }
  let at = params.to + id.y * codes + code;
  if (ADD) {
    sum += scratch[at];
  }
  scratch[at] = sum;
}
