// TRISH's Count for 32-bit codes. The loads are its bound.

fn step(codes: vec4<u32>, index: u32, thread: u32) {
  if (index > 0u && index % (params.loops * params.k) == 0u) {
    accumulate(thread);
  }
  for (var i = 0u; i < 4u; i++) {
    if (codes[i] < params.cells) {
      seen ^= increment(codes[i], thread);
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
  accumulate(thread);
  writeHistogram(block.x, thread);
}
