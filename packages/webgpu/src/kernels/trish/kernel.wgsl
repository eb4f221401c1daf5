// Threaded Register Independent Strided Histogram: no thread meets another, and no time depends on the data.
//
//   workgroup memory, 16 KB:  word = [row = bin / 4][column = thread], four byte counters a word; bank = lane
//   registers:                thread t keeps the block's counts of the bins 4t … 4t + 3
//   scratch:                  word = [block][bin]
//
// Count: a thread bins k words, looks whether k more could pass what a byte holds, and if so the block sums its
// rows: thread t row t, from its own column on and round, in pairs of 16 bits. BlockSum adds the blocks' histograms.
//
// A word is one thread's own. It is added to by an atomic all the same: that is one instruction which nothing waits
// for, where a load, an addition and a store would each wait for the one before. What the atomics return is used, if
// only for show: of one that is not NVIDIA's compiler makes six instructions that look whether a warp's lanes all add
// to one word.
//
// Bound: one workgroup atomic a byte, and its address; and how few threads a multiprocessor has, 256 bytes each: on
// an H200 192, since Vulkan gives it 64 of its 228 KB.
// Source: Brown & Snoeyink 2012, sections 5.1 to 5.5, Figure 5.

override THREADS: u32;
override TABLE_WORDS: u32;

override BINS: u32;

var<workgroup> table: array<atomic<u32>, TABLE_WORDS>;
var<private> sums: vec4<u32>;
var<private> seen: u32;

fn increment(code: u32, thread: u32) -> u32 {
  return atomicAdd(&table[(code >> 2u) * THREADS + thread], 1u << ((code & 3u) * 8u));
}

// Adds row t to the sums and clears it. Section 5.3: the quad [3,2,1,0] as the pairs [*,2,*,0] and [*,3,*,1].
fn accumulate(thread: u32) {
  workgroupBarrier();
  var even = 0u;
  var odd = 0u;
  for (var i = 0u; i < THREADS; i++) {
    let at = thread * THREADS + (thread + i) % THREADS;
    let quad = atomicLoad(&table[at]);
    atomicStore(&table[at], 0u);
    even += quad & 0x00ff00ffu;
    odd += (quad >> 8u) & 0x00ff00ffu;
  }
  workgroupBarrier();
  sums += vec4(even & 0xffffu, odd & 0xffffu, even >> 16u, odd >> 16u);
}

fn writeHistogram(block: u32, thread: u32) {
  let to = block * BINS + 4u * thread;
  scratch[to] = sums.x;
  scratch[to + 1u] = sums.y;
  scratch[to + 2u] = sums.z;
  scratch[to + 3u] = sums.w;
  // Never: k is 1 at least.
  if (params.k == 0u) {
    scratch[to] = seen;
  }
}
