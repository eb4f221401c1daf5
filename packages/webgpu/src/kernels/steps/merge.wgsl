// Merges the blocks' partial tables into the counts. It adds without atomics, and its time does not depend on the counts.
//
//   scratch:            word = [table][cell of the pass]
//   block b:            cells b * CELLS …, which are a sector of 32 bytes in each table
//   thread t:           cell t % CELLS of the tables t / CELLS, t / CELLS + rows …
//   workgroup memory:   word = [row][cell of the block], added in pairs of rows
//
// One thread adds the sum of a cell to its count. No other thread of the dispatch has that cell, and dispatches that use
// the same counts run one after the other. `counts` has the type of an atomic because other kernels share the binding.
//
// Bound: the latency of the loads.
// Source: BlockSum (Brown & Snoeyink 2012, section 5.5); the tail kernel of Nugteren et al. 2011 (ibid., section 4.2);
// mergeHistogram64 and mergeHistogram256 (Podlozhnyuk 2009).

override THREADS: u32;
override CELLS: u32;

var<workgroup> sums: array<u32, THREADS>;

// Returns a word of a table, or 0 past the last table. It loads in either case, so that loads need not wait.
fn wordOf(table: u32, cell: u32) -> u32 {
  let word = scratch[min(table, params.tables - 1u) * params.cells + min(cell, params.cells - 1u)];
  return select(0u, word, table < params.tables);
}

@compute @workgroup_size(THREADS)
fn merge(@builtin(local_invocation_index) thread: u32, @builtin(workgroup_id) block: vec3<u32>) {
  let cell = block.x * CELLS + thread % CELLS;
  let rows = THREADS / CELLS;
  var sum = 0u;
  for (var table = thread / CELLS; table < params.tables; table += 4u * rows) {
    sum += (wordOf(table, cell) + wordOf(table + rows, cell)) +
      (wordOf(table + 2u * rows, cell) + wordOf(table + 3u * rows, cell));
  }
  sums[thread] = sum;
  for (var half = THREADS / 2u; half >= CELLS; half /= 2u) {
    workgroupBarrier();
    if (thread < half) {
      sums[thread] += sums[thread + half];
    }
  }
  if (thread < CELLS && cell < params.cells) {
    let at = params.to + cell;
    atomicStore(&counts[at], atomicLoad(&counts[at]) + sums[thread]);
  }
}
