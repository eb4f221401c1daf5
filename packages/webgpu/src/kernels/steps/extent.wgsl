// Finds the finite minimum and maximum of the wanted channels, as order-preserving keys (core's keys.ts).
//
//   samples -> key -> a thread's min and max -> atomicMin, atomicMax of counts[0], counts[1]
//
// Keys of two words take two dispatches. The first finds the high words. The second finds the low words of the samples
// that have those high words, in counts[2] and counts[3]. Infinities and NaN are skipped. Bound: the samples' bytes.

override THREADS: u32;
override INTERLEAVED: u32;
// Whether this dispatch finds low words.
override TRAILING: bool;

var<workgroup> least: atomic<u32>;
var<workgroup> most: atomic<u32>;

@compute @workgroup_size(THREADS)
fn extent(
  @builtin(global_invocation_id) id: vec3<u32>,
  @builtin(local_invocation_index) thread: u32,
  @builtin(num_workgroups) blocks: vec3<u32>,
) {
  if (thread == 0u) {
    atomicStore(&least, NONE);
  }
  var low = NONE;
  var high = 0u;
  let leastLeading = atomicLoad(&counts[0]);
  let mostLeading = atomicLoad(&counts[1]);
  for (var at = id.x; at < params.count; at += blocks.x * THREADS) {
    let bits = bitsAt(at);
    if (((params.wanted >> (at % INTERLEAVED)) & 1u) == 0u || !isFinite(bits)) {
      continue;
    }
    if (TRAILING) {
      if (leading(bits) == leastLeading) {
        low = min(low, trailing(bits));
      }
      if (leading(bits) == mostLeading) {
        high = max(high, trailing(bits));
      }
    } else {
      low = min(low, leading(bits));
      high = max(high, leading(bits));
    }
  }
  workgroupBarrier();
  atomicMin(&least, low);
  atomicMax(&most, high);
  workgroupBarrier();
  if (thread == 0u) {
    let to = select(0u, 2u, TRAILING);
    atomicMin(&counts[to], atomicLoad(&least));
    atomicMax(&counts[to + 1u], atomicLoad(&most));
  }
}
