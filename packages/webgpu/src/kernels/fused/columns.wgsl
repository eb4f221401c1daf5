// fused (polybin's own) over columns: finds the cell of each sample and counts it, in one pass.
//
//   columns -> cell -> table (replicas.wgsl, packed.wgsl, global.wgsl) -> counts[cell]
//   mask    -> counts[cells + 3]: the samples that it leaves out
//
//   grid:   x blocks over the samples; y windows of cells if not all fit in a block
//
// Whole vectors come first, in steps that are generated for the columns' types (joint/steps.ts). The remaining samples
// follow one at a time, and so do those of a list.
//
// Bound: the columns' bytes, then the table's atomics.

override THREADS: u32;
override CELLS_PER_PASS: u32;
override WINDOWED: bool;
override STEP_SAMPLES: u32;

var<workgroup> maskedOfBlock: atomic<u32>;
var<private> masked: u32;

fn countKept(cell: u32, kept: bool) {
  if (kept) {
    countCell(cell);
  } else {
    masked++;
  }
}

@compute @workgroup_size(THREADS)
fn count(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) block: vec3<u32>,
  @builtin(num_workgroups) blocks: vec3<u32>,
) {
  let window = block.y * CELLS_PER_PASS;
  prepareTable(thread, window, min(CELLS_PER_PASS, params.cells - window));
  workgroupBarrier();
  let first = block.x * THREADS + thread;
  let threads = blocks.x * THREADS;
  countSteps(first, threads);
  for (var at = params.steps * STEP_SAMPLES + first; at < params.entries; at += threads) {
    let sample = sampleAt(params.firstEntry + at);
    if (sample < params.count) {
      countKept(cellOf(sample), isKept(sample));
    }
  }
  atomicAdd(&maskedOfBlock, masked);
  workgroupBarrier();
  addTable(thread);
  if (thread == 0u && block.y == 0u) {
    atomicAdd(&counts[params.cells + 3u], atomicLoad(&maskedOfBlock));
  }
}
