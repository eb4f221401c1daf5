// Adds the counts over an ordered axis up by their codes on the axis that it stands for, such as one of categories.
//
//   counts[first + channel * (cells + 3)][bins of the ordered axis, 3] -> counts[channel * (bins + 3)][lookup[…]]
//
// The counts that it adds to hold zeros. Bound: one read and one atomic addition per cell that is not empty.
// Source: polybin; core's result room does the same on the host.

override THREADS: u32;

@compute @workgroup_size(THREADS)
fn regroup(@builtin(global_invocation_id) id: vec3<u32>) {
  let codes = params.cells + 3u;
  if (id.x >= codes) {
    return;
  }
  let count = atomicLoad(&counts[params.first + id.y * codes + id.x]);
  if (count != 0u) {
    atomicAdd(&counts[id.y * (params.bins + 3u) + lookup[id.x]], count);
  }
}
