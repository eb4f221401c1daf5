// TRISH's BlockSum: each block adds up a batch of histograms. Each thread has one bin, or several that are THREADS
// apart.

override THREADS: u32;
override BINS: u32;
override BATCH: u32;

@compute @workgroup_size(THREADS)
fn blockSum(@builtin(local_invocation_index) thread: u32, @builtin(workgroup_id) block: vec3<u32>) {
  let last = min(params.blocks, (block.x + 1u) * BATCH);
  for (var bin = thread; bin < params.cells; bin += THREADS) {
    var sum = 0u;
    for (var histogram = block.x * BATCH; histogram < last; histogram++) {
      sum += scratch[histogram * BINS + bin];
    }
    if (sum != 0u) {
      atomicAdd(&counts[params.to + bin], sum);
    }
  }
}
