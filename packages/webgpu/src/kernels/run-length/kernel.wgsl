// One histogram that every thread of the grid adds its runs of equal codes to with atomics.
//
//   registers:      the cell of the thread's run, and its samples
//   global memory:  counts[cell]
//
// Bound: atomics on few addresses, one for each run.
// Source: the example of docs/adding-an-algorithm.md.

override THREADS: u32;

var<private> last: u32;
var<private> run: u32;

fn step(codes: vec4<u32>, index: u32, thread: u32) {
  for (var i = 0u; i < 4u; i++) {
    let code = codes[i];
    if (code < params.cells) {
      if (code != last || run == params.longest) {
        addCount(last, run);
        last = code;
        run = 0u;
      }
      run++;
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
  addCount(last, run);
}
