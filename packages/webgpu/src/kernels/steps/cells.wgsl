// Writes the cells of samples, or adds the part of more columns to them, for algorithms that count cells.
//
//   columns -> cells[sample]: Σ place * stride
//              params.cells for a sample that the mask leaves out, or that lies in another part of the columns
//   mask    -> counts[cells + 3]: the samples that it leaves out
//
// More columns than one dispatch binds take several. The first one writes, and the last one applies the mask.
// Bound: the samples' bytes, and four bytes written per sample.

override THREADS: u32;
override IS_FIRST: bool;

var<workgroup> maskedOfBlock: atomic<u32>;

@compute @workgroup_size(THREADS)
fn writeCells(
  @builtin(global_invocation_id) id: vec3<u32>,
  @builtin(local_invocation_index) thread: u32,
  @builtin(num_workgroups) blocks: vec3<u32>,
) {
  var masked = 0u;
  for (var at = id.x; at < params.entries; at += blocks.x * THREADS) {
    let sample = sampleAt(params.firstEntry + at);
    var cell = params.cells;
    if (sample < params.count) {
      if (isKept(sample)) {
        cell = cellOf(sample);
        if (!IS_FIRST) {
          cell += cells[at];
        }
      } else {
        masked++;
      }
    }
    cells[at] = cell;
  }
  if (masked != 0u) {
    atomicAdd(&maskedOfBlock, masked);
  }
  workgroupBarrier();
  if (thread == 0u) {
    atomicAdd(&counts[params.cells + 3u], atomicLoad(&maskedOfBlock));
  }
}
