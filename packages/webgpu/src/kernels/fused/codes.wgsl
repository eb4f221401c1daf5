// fused over codes: the cells of one axis, or those that another kernel wrote. It counts one window of cells.

override THREADS: u32;

fn step(codes: vec4<u32>, index: u32, thread: u32) {
  for (var i = 0u; i < 4u; i++) {
    countIf(codes[i] < params.cells, params.to + codes[i]);
  }
}

@compute @workgroup_size(THREADS)
fn count(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) block: vec3<u32>,
  @builtin(num_workgroups) blocks: vec3<u32>,
) {
  prepareTable(thread, params.to, params.cells);
  workgroupBarrier();
  eachWord(thread, block.x, blocks.x);
  workgroupBarrier();
  addTable(thread);
}
