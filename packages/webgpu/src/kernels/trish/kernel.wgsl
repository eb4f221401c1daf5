// Threaded Register Independent Strided Histogram: no two threads meet, and no time depends on the data.
//
//   workgroup memory, 16 KB:  word = [row = bin / 4][column = thread], four byte counters a word; bank = lane
//   registers:                thread t keeps the block's counts of the bins 4t … 4t + 3
//   partial tables:           word = [block][bin]
//
// Count: a thread bins k words and then checks whether k more could overflow a byte. If so, the block sums its rows:
// thread t sums row t, from its own column on and around, in pairs of 16 bits, or byte by byte to show what pairs gain.
// BlockSum (merge.wgsl) adds the blocks' histograms.
//
// A word belongs to one thread. The thread still adds to it with an atomic, because that is one instruction which
// nothing waits for. A load, an addition and a store would each wait for the one before. The results of the atomics are
// used, if only for the compiler. NVIDIA's compiler turns an atomic without a use into six instructions, which check
// whether all lanes of a warp add to one word.
//
// Bound: one workgroup atomic per byte and the computation of its address; and how few threads a multiprocessor has,
// with 256 bytes each. On an H200 there are 192 threads, because Vulkan offers 64 of its 228 KB.
// Source: Brown & Snoeyink 2012, sections 5.1 to 5.5, Figure 5.

override THREADS: u32;
override TABLE_WORDS: u32;

// Whether row sums add pairs.
override PAIRS: bool;

var<workgroup> table: array<atomic<u32>, TABLE_WORDS>;
var<private> sums: vec4<u32>;
var<private> seen: u32;

fn increment(code: u32, thread: u32) -> u32 {
  return atomicAdd(&table[(code >> 2u) * THREADS + thread], 1u << ((code & 3u) * 8u));
}

// Reads step i of row t and clears it, from column t on and around.
fn take(i: u32, thread: u32) -> u32 {
  let at = thread * THREADS + (thread + i) % THREADS;
  let quad = atomicLoad(&table[at]);
  atomicStore(&table[at], 0u);
  return quad;
}

// Adds row t to the sums and clears it.
fn accumulate(thread: u32) {
  workgroupBarrier();
  if (PAIRS) {
    addPairs(thread);
  } else {
    addSingletons(thread);
  }
  workgroupBarrier();
}

// Section 5.3: the quad [3,2,1,0] as the pairs [*,2,*,0] and [*,3,*,1].
fn addPairs(thread: u32) {
  var even = 0u;
  var odd = 0u;
  for (var i = 0u; i < THREADS; i++) {
    let quad = take(i, thread);
    even += quad & 0x00ff00ffu;
    odd += (quad >> 8u) & 0x00ff00ffu;
  }
  sums += vec4(even & 0xffffu, odd & 0xffffu, even >> 16u, odd >> 16u);
}

// The same without section 5.3: each byte is extracted and added to a sum of its own.
fn addSingletons(thread: u32) {
  for (var i = 0u; i < THREADS; i++) {
    let quad = take(i, thread);
    sums.x += quad & 0xffu;
    sums.y += (quad >> 8u) & 0xffu;
    sums.z += (quad >> 16u) & 0xffu;
    sums.w += quad >> 24u;
  }
}

fn writeHistogram(block: u32, thread: u32) {
  ownBlock = block;
  addSum(4u * thread, sums.x);
  addSum(4u * thread + 1u, sums.y);
  addSum(4u * thread + 2u, sums.z);
  addSum(4u * thread + 3u, sums.w);
  // This never happens, because k is at least 1. It keeps the atomics' results in use.
  if (params.k == 0u) {
    addSum(thread, seen);
  }
}
