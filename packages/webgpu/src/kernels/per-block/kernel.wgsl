// One histogram per block in workgroup memory. It is filled with atomics and then added to the one in global memory.
//
//   workgroup memory:  word = [cell], 32 bits; a dispatch has fewer than 2^32 codes, so none can overflow
//
// Bound: workgroup atomics. Lanes that meet in a cell or in a bank wait for each other.
// Source: The CUDA Handbook, histogram chapter: Per-Block Histograms; Hardavellas, Algorithm Overview.

override THREADS: u32;
override TABLE_WORDS: u32;

var<workgroup> table: array<atomic<u32>, TABLE_WORDS>;

fn step(codes: vec4<u32>, index: u32, thread: u32) {
  for (var i = 0u; i < 4u; i++) {
    if (codes[i] < params.cells) {
      atomicAdd(&table[codes[i]], 1u);
    }
  }
}

@compute @workgroup_size(THREADS)
fn count(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) block: vec3<u32>,
  @builtin(num_workgroups) blocks: vec3<u32>,
) {
  eachWord(thread, block.x, blocks.x);
  workgroupBarrier();
  for (var cell = thread; cell < params.cells; cell += THREADS) {
    addCount(cell, atomicLoad(&table[cell]));
  }
}
