// A byte counter for each thread and each of up to 64 bins.
//
//   workgroup memory:  byte = [bin][column], column = swizzled thread
//                      column / 4 = thread modulo the banks, so neighbours use different banks, whatever the data
//
// Raw bytes arrive in words of four, and are counted by their upper six bits.
//
// WGSL cannot address bytes, so four threads share a word and add to it with atomics. The additions of the others do
// not touch a thread's own byte, because no byte can overflow.
//
// Bound: the range of a byte, 63 words per thread. The plan has enough blocks for that.
// Source: Podlozhnyuk 2009, Implementation of oclHistogram64, Figures 1 and 2.

override THREADS: u32;
override TABLE_WORDS: u32;
override BANKS: u32;
// cell = code >> SHIFT
override SHIFT: u32;

var<workgroup> rows: array<atomic<u32>, TABLE_WORDS>;

// A bijection on each group of four threads per bank: the place among as many neighbours as there are banks becomes the
// word, and the next two bits become the byte.
fn swizzle(thread: u32) -> u32 {
  let place = thread % (4u * BANKS);
  return thread - place + place % BANKS * 4u + place / BANKS;
}

fn step(codes: vec4<u32>, index: u32, thread: u32) {
  let column = swizzle(thread);
  for (var i = 0u; i < 4u; i++) {
    let cell = codes[i] >> SHIFT;
    if (cell < params.cells) {
      atomicAdd(&rows[cell * (THREADS / 4u) + column / 4u], 1u << (column % 4u * 8u));
    }
  }
}

@compute @workgroup_size(THREADS)
fn count(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) block: vec3<u32>,
  @builtin(num_workgroups) blocks: vec3<u32>,
) {
  ownBlock = block.x;
  eachWord(thread, block.x, blocks.x);
  workgroupBarrier();
  // Thread t adds up row t. It begins one word further than its neighbour, so that their banks differ.
  if (thread < params.cells) {
    let width = THREADS / 4u;
    var pairs = 0u;
    for (var i = 0u; i < width; i++) {
      let quad = atomicLoad(&rows[thread * width + (thread + i) % width]);
      // The sum of 192 bytes of at most 252 is less than 2^16.
      pairs += (quad & 0x00ff00ffu) + ((quad >> 8u) & 0x00ff00ffu);
    }
    addSum(thread, (pairs & 0xffffu) + (pairs >> 16u));
  }
}
