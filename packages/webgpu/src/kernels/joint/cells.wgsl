// Writes the cells of samples, or adds the part of more columns to them, for algorithms that count cells.
//
//   columns -> cells[sample]: Σ place * stride
//              params.cells for a sample that the mask leaves out, or that lies in another part of the columns
//
// More columns than one dispatch binds take several. The first one writes, and the last one applies the mask.
// Bound: the samples' bytes, and four bytes written per sample.

override THREADS: u32;
override IS_FIRST: bool;

@compute @workgroup_size(THREADS)
fn writeCells(
  @builtin(global_invocation_id) id: vec3<u32>,
  @builtin(num_workgroups) blocks: vec3<u32>,
) {
  for (var at = id.x; at < params.entries; at += blocks.x * THREADS) {
    let sample = sampleAt(params.firstEntry + at);
    var cell = params.cells;
    if (sample < params.count && isKept(sample)) {
      cell = cellOf(sample);
      if (!IS_FIRST) {
        cell += cells[at];
      }
    }
    cells[at] = cell;
  }
}
