// TRISH's BlockSum: thread = bin, each block a batch of four histograms.

override THREADS: u32;

const BINS = 256u;
const BATCH = 4u;

@compute @workgroup_size(THREADS)
fn blockSum(@builtin(local_invocation_index) bin: u32, @builtin(workgroup_id) block: vec3<u32>) {
  var sum = 0u;
  for (var histogram = block.x * BATCH; histogram < min(params.blocks, (block.x + 1u) * BATCH); histogram++) {
    sum += scratch[histogram * BINS + bin];
  }
  if (bin < params.cells && sum != 0u) {
    atomicAdd(&counts[params.to + bin], sum);
  }
}
