// One histogram for each 32 threads of a block. Atomics separate lanes that meet in a cell.
//
//   workgroup memory:  word = [warp][cell]
//
// WGSL has no warps that run in lock-step, so software tags (Listing 3) are refused. The 32 neighbouring threads that
// share a table need not be a subgroup, because atomics separate any threads.
//
// Bound: collisions within a warp, so the time depends on the data.
// Source: Podlozhnyuk 2009, Implementation of oclHistogram256, Listing 3.

override THREADS: u32;
override TABLE_WORDS: u32;
override WARP: u32;

var<workgroup> tables: array<atomic<u32>, TABLE_WORDS>;

fn step(codes: vec4<u32>, index: u32, thread: u32) {
  let table = thread / WARP * params.cells;
  for (var i = 0u; i < 4u; i++) {
    if (codes[i] < params.cells) {
      atomicAdd(&tables[table + codes[i]], 1u);
    }
  }
}

@compute @workgroup_size(THREADS)
fn count(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) block: vec3<u32>,
  @builtin(num_workgroups) blocks: vec3<u32>,
) {
  ownBlock = block.x;
  eachWord(thread, block.x, blocks.x);
  workgroupBarrier();
  let size = THREADS / WARP * params.cells;
  for (var cell = thread; cell < params.cells; cell += THREADS) {
    var sum = 0u;
    for (var at = cell; at < size; at += params.cells) {
      sum += atomicLoad(&tables[at]);
    }
    addSum(cell, sum);
  }
}
