// fused (polybin's own) over columns: finds the cell of each sample and counts it, in one pass.
//
//   columns -> cell -> table (replicas.wgsl, global.wgsl) -> counts[cell]
//   mask    -> counts[cells + 3]: the samples that it leaves out
//
//   grid:   blocks over the samples; PASSES neighbouring blocks read the same samples for a window of cells each, so that
//           the second-level cache holds what the first of them read
//
// Whole vectors come first, in steps that are generated for the columns' types (run/prepare/cells/steps.ts). The remaining samples
// follow one at a time, and so do those of a list.
//
// Bound: the columns' bytes, then the table's atomics.

override THREADS: u32;
override CELLS_PER_PASS: u32;
override PASSES: u32;
override STEP_SAMPLES: u32;

var<workgroup> maskedOfBlock: atomic<u32>;
var<private> masked: u32;

fn countKept(cell: u32, kept: bool) {
  countIf(kept, cell);
  masked += u32(!kept);
}

@compute @workgroup_size(THREADS)
fn count(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) block: vec3<u32>,
  @builtin(num_workgroups) blocks: vec3<u32>,
) {
  let window = block.x % PASSES;
  let firstCell = window * CELLS_PER_PASS;
  prepareTable(thread, firstCell, min(CELLS_PER_PASS, params.cells - firstCell));
  prepareLookups(thread);
  workgroupBarrier();
  let first = block.x / PASSES * THREADS + thread;
  let threads = blocks.x / PASSES * THREADS;
  countSteps(first, threads);
  for (var at = params.steps * STEP_SAMPLES + first; at < params.entries; at += threads) {
    let sample = sampleAt(params.firstEntry + at);
    if (sample < params.count) {
      countKept(cellOf(sample), isKept(sample));
    }
  }
  if (masked != 0u) {
    atomicAdd(&maskedOfBlock, masked);
  }
  workgroupBarrier();
  addTable(thread);
  if (thread == 0u && window == 0u) {
    atomicAdd(&counts[params.cells + 3u], atomicLoad(&maskedOfBlock));
  }
}
