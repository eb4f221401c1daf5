// A byte counter for each of 256 bins and each of 64 threads: 16 KB per block.
//
//   workgroup memory:  interleaved   word = [bin / 4][thread], the four bins of a quad in one word (Figure 6)
//                      row           byte = [thread][bin], one histogram per row                   (Figure 4)
//                      column        byte = [bin][thread], one bin per row                         (Figure 5)
//
// WGSL cannot address bytes. In `interleaved` and `row`, a word belongs to one thread. In `column`, four threads share
// it and add to it with atomics.
//
// Bound: the range of a byte, 63 words per thread. `periodic` then merges and clears the counters. `avoid` launches
// enough blocks that no thread gets more.
// Source: The CUDA Handbook, histogram chapter: Privatized (Per Thread) Histograms, Listings 5 to 8. Its kernel
// lacks a barrier after the periodic merge, and has one in a loop that some threads leave earlier.

override THREADS: u32;
override TABLE_WORDS: u32;
override WORDS_PER_THREAD: u32;
override PERIODIC: bool;
// 0: row, 1: column, 2: interleaved.
override LAYOUT: u32;

const QUADS = 64u;

var<workgroup> table: array<atomic<u32>, TABLE_WORDS>;

fn increment(bin: u32, thread: u32) {
  switch (LAYOUT) {
    case 0u: { addToOwn(thread * QUADS + bin / 4u, 1u << (bin % 4u * 8u)); }
    case 1u: { atomicAdd(&table[bin * (THREADS / 4u) + thread / 4u], 1u << (thread % 4u * 8u)); }
    default: { addToOwn(bin / 4u * THREADS + thread, 1u << (bin % 4u * 8u)); }
  }
}

// Adds to a word that no other thread adds to.
fn addToOwn(at: u32, amount: u32) {
  atomicStore(&table[at], atomicLoad(&table[at]) + amount);
}

// Reads a word of counters and clears it.
fn take(at: u32) -> u32 {
  let word = atomicLoad(&table[at]);
  atomicStore(&table[at], 0u);
  return word;
}

// Listing 7: thread t sums the bins 4t … 4t + 3 over all threads' counters. It starts at a place of its own, so that
// banks differ. It sums pairs of 16 bits (Listing 6): the sum of 64 bytes is less than 2^16. It adds with one atomic
// per bin, or to the block's partial table. There are barriers on both sides, because the counters belong to all threads.
fn mergeCounters(thread: u32) {
  workgroupBarrier();
  if (LAYOUT == 1u) {
    // All words of a row belong to one bin.
    let width = THREADS / 4u;
    for (var slot = 0u; slot < 4u; slot++) {
      let bin = 4u * thread + slot;
      var pairs = 0u;
      for (var i = 0u; i < width; i++) {
        let word = take(bin * width + (i + thread) % width);
        pairs += (word & 0x00ff00ffu) + ((word >> 8u) & 0x00ff00ffu);
      }
      addSum(bin, (pairs & 0xffffu) + (pairs >> 16u));
    }
  } else {
    var even = 0u;
    var odd = 0u;
    for (var i = 0u; i < THREADS; i++) {
      let other = (i + thread) % THREADS;
      let quad = take(select(thread * THREADS + other, other * QUADS + thread, LAYOUT == 0u));
      even += quad & 0x00ff00ffu;
      odd += (quad >> 8u) & 0x00ff00ffu;
    }
    addSum(4u * thread, even & 0xffffu);
    addSum(4u * thread + 1u, odd & 0xffffu);
    addSum(4u * thread + 2u, even >> 16u);
    addSum(4u * thread + 3u, odd >> 16u);
  }
  isFirst = false;
  workgroupBarrier();
}

fn step(codes: vec4<u32>, index: u32, thread: u32) {
  if (PERIODIC && index > 0u && index % WORDS_PER_THREAD == 0u) {
    mergeCounters(thread);
  }
  for (var i = 0u; i < 4u; i++) {
    if (codes[i] < params.cells) {
      increment(codes[i], thread);
    }
  }
}

@compute @workgroup_size(THREADS)
fn count(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) block: vec3<u32>,
  @builtin(num_workgroups) blocks: vec3<u32>,
) {
  // If one dimension cannot hold all blocks, they lie in two. The last blocks then have no work.
  let index = block.y * blocks.x + block.x;
  if (index < params.blocks) {
    ownBlock = index;
    eachWord(thread, index, params.blocks);
    mergeCounters(thread);
  }
}
