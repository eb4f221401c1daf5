// Writes the codes of one channel as 32-bit words, for the algorithms that count codes. It finds them as per-lane does,
// so that every algorithm sees the same bins.
//
//   pixels -> scratch[count]: bins as they are, flow as NONE, which no kernel counts
//          -> counts after the cells: flow
//
// Bound: the samples' bytes, and four bytes written per sample.

override THREADS: u32;
override RANKED: bool;
override INTERLEAVED: u32;

@compute @workgroup_size(THREADS)
fn lower(
  @builtin(global_invocation_id) id: vec3<u32>,
  @builtin(num_workgroups) blocks: vec3<u32>,
) {
  var flow = vec3(0u);
  for (var at = id.x; at < params.count; at += blocks.x * THREADS) {
    let row = find(bitsAt((params.first + at) * INTERLEAVED + params.channel));
    if (RANKED) {
      flow += vec3<u32>(vec3(row) == vec3(0u, params.cells + 1u, params.cells + 2u));
      scratch[at] = select(NONE, row - 1u, row - 1u < params.cells);
    } else {
      scratch[at] = row;
    }
  }
  for (var kind = 0u; kind < 3u; kind++) {
    if (flow[kind] != 0u) {
      atomicAdd(&counts[params.to + params.cells + kind], flow[kind]);
    }
  }
}
