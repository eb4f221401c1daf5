// One histogram per thread, with two 16-bit counters per word.
//
//   workgroup memory:  word = [row = cell / 2][column = thread = bank], [ cell 2r + 1 | cell 2r ]
//
// Bound: 32 threads per block, and few blocks per multiprocessor. The columns are summed after WORDS_PER_THREAD words,
// before 16 bits could overflow.
// Source: Nugteren et al. 2011, as described by Brown & Snoeyink 2012, section 4.2.

override THREADS: u32;
override TABLE_WORDS: u32;
override WORDS_PER_THREAD: u32;

var<workgroup> table: array<u32, TABLE_WORDS>;

// Thread t sums rows t, t + 32 … and clears them. It starts at column t, so that no two threads meet in a bank.
fn sumRows(thread: u32) {
  workgroupBarrier();
  for (var row = thread; row < (params.cells + 1u) / 2u; row += THREADS) {
    var low = 0u;
    var high = 0u;
    for (var i = 0u; i < THREADS; i++) {
      let at = row * THREADS + (thread + i) % THREADS;
      low += table[at] & 0xffffu;
      high += table[at] >> 16u;
      table[at] = 0u;
    }
    // If the number of cells is odd, the last row's high half is no cell.
    addSum(2u * row, low);
    addSum(2u * row + 1u, high);
  }
  isFirst = false;
  workgroupBarrier();
}

fn step(codes: vec4<u32>, index: u32, thread: u32) {
  if (index > 0u && index % WORDS_PER_THREAD == 0u) {
    sumRows(thread);
  }
  for (var i = 0u; i < 4u; i++) {
    if (codes[i] < params.cells) {
      table[codes[i] / 2u * THREADS + thread] += 1u << (codes[i] % 2u * 16u);
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
  sumRows(thread);
}
