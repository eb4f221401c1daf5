// One histogram in global memory. Every thread of the grid adds to it with atomics.
//
//   global memory:  counts[cell]
//
// Bound: atomics on few addresses. They take longer the more often neighbouring samples are equal.
// Source: The CUDA Handbook, histogram chapter: One Global Histogram—and Contention.

override THREADS: u32;

fn step(codes: vec4<u32>, index: u32, thread: u32) {
  for (var i = 0u; i < 4u; i++) {
    if (codes[i] < params.cells) {
      atomicAdd(&counts[params.to + codes[i]], 1u);
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
}
