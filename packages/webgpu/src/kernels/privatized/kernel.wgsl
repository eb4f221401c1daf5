// A byte counter for each of 256 bins and each of 64 threads: 16 KB per block.
//
//   workgroup memory:  interleaved   word = [bin / 4][thread], the four bins of a quad in one word (Figure 6)
//                      row           byte = [thread][bin], one histogram per row                   (Figure 4)
//                      column        byte = [bin][thread], one bin per row                         (Figure 5)
//
//                     spills        word = [bin], after the counters, if an overflow check adds to workgroup memory
//
// WGSL cannot address bytes. In `interleaved` and `row`, a word belongs to one thread. In `column`, four threads share
// it and add to it with atomics.
//
// Bound: the range of a byte, 63 words per thread. `periodic` then merges and clears the counters. `avoid` launches
// enough blocks that no thread gets more. A check tests the counter after every increment. One that reaches SPILL
// returns to 0, and an atomic adds SPILL to the block's histogram or to the final one.
// Source: The CUDA Handbook, histogram chapter: Privatized (Per Thread) Histograms, Listings 5 to 8. Its kernel
// lacks a barrier after the periodic merge, and has one in a loop that some threads leave earlier.

override THREADS: u32;
override TABLE_WORDS: u32;
override WORDS_PER_THREAD: u32;
override PERIODIC: bool;
// 0: row, 1: column, 2: interleaved.
override LAYOUT: u32;
// 0: none, 1: spill into workgroup memory, 2: spill into the final histogram.
override CHECK: u32;
override SPILL: u32;

const QUADS = 64u;

var<workgroup> table: array<atomic<u32>, TABLE_WORDS>;

fn increment(bin: u32, thread: u32) {
  switch (LAYOUT) {
    case 0u: { addToOwn(thread * QUADS + bin / 4u, bin); }
    case 1u: { addToShared(bin * (THREADS / 4u) + thread / 4u, thread % 4u * 8u, bin); }
    default: { addToOwn(bin / 4u * THREADS + thread, bin); }
  }
}

// Adds to a word that no other thread adds to. The word's other counters are below SPILL, its counters' top bit.
fn addToOwn(at: u32, bin: u32) {
  var word = atomicLoad(&table[at]) + (1u << (bin % 4u * 8u));
  let full = word & (SPILL * 0x01010101u);
  if (CHECK != 0u && full != 0u) {
    word ^= full;
    spill(bin);
  }
  atomicStore(&table[at], word);
}

// Adds to the counter of one thread in a word of four threads.
fn addToShared(at: u32, shift: u32, bin: u32) {
  let before = atomicAdd(&table[at], 1u << shift);
  if (CHECK != 0u && ((before >> shift) & 0xffu) == SPILL - 1u) {
    atomicSub(&table[at], SPILL << shift);
    spill(bin);
  }
}

fn spill(bin: u32) {
  if (CHECK == 1u) {
    atomicAdd(&table[THREADS * QUADS + bin], SPILL);
  } else {
    atomicAdd(&counts[params.to + bin], SPILL);
  }
}

// Adds a bin's sum, and the block's spills of the bin.
fn addWithSpills(bin: u32, sum: u32) {
  if (CHECK == 1u) {
    addSum(bin, sum + atomicLoad(&table[THREADS * QUADS + bin]));
  } else {
    addSum(bin, sum);
  }
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
      addWithSpills(bin, (pairs & 0xffffu) + (pairs >> 16u));
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
    addWithSpills(4u * thread, even & 0xffffu);
    addWithSpills(4u * thread + 1u, odd & 0xffffu);
    addWithSpills(4u * thread + 2u, even >> 16u);
    addWithSpills(4u * thread + 3u, odd >> 16u);
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
