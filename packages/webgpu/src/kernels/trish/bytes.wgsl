// TRISH's Count for bytes (Figure 5). In a loop, the k words of a thread are 16-byte batches and up to three single
// words:
//
//   a block's share:  [batch][thread] of 16 bytes, then [single word][thread] of 4

@group(0) @binding(0) var<storage, read> data: array<vec4<u32>>;

fn binWord(word: u32, thread: u32) {
  let a = increment(word & 0xffu, thread);
  let b = increment((word >> 8u) & 0xffu, thread);
  let c = increment((word >> 16u) & 0xffu, thread);
  let d = increment(word >> 24u, thread);
  seen ^= (a ^ b) ^ (c ^ d);
}

fn binBatch(batch: vec4<u32>, thread: u32) {
  binWord(batch.x, thread);
  binWord(batch.y, thread);
  binWord(batch.z, thread);
  binWord(batch.w, thread);
}

// Returns a word of the buffer. It selects, because a variable index would put the vector into memory.
fn wordAt(at: u32) -> u32 {
  let batch = data[at / 4u];
  return select(
    select(batch.x, batch.y, at % 4u == 1u),
    select(batch.z, batch.w, at % 4u == 3u),
    at % 4u > 1u,
  );
}

// After groups of four batches, the rest of a share is loaded first and binned last. Its loads run while the groups are
// binned.
fn binShare(share: u32, thread: u32) {
  let batches = params.k / 4u;
  let singles = params.k % 4u;
  let fours = batches & ~3u;
  var at = share + thread;
  let rest = at + fours * THREADS;
  let hasTwo = (batches & 2u) != 0u;
  let hasOne = (batches & 1u) != 0u;
  var x: vec4<u32>;
  var y: vec4<u32>;
  var z: vec4<u32>;
  var words: vec3<u32>;
  if (hasTwo) {
    x = data[rest];
    y = data[rest + THREADS];
  }
  if (hasOne) {
    z = data[rest + select(0u, 2u * THREADS, hasTwo)];
  }
  if (singles > 0u) {
    let first = (share + batches * THREADS) * 4u + thread;
    words = vec3(wordAt(first), wordAt(first + THREADS), wordAt(first + 2u * THREADS));
  }
  for (var i = 0u; i < fours; i += 4u) {
    let a = data[at];
    let b = data[at + THREADS];
    let c = data[at + 2u * THREADS];
    let d = data[at + 3u * THREADS];
    binBatch(a, thread);
    binBatch(b, thread);
    binBatch(c, thread);
    binBatch(d, thread);
    at += 4u * THREADS;
  }
  if (hasTwo) {
    binBatch(x, thread);
    binBatch(y, thread);
  }
  if (hasOne) {
    binBatch(z, thread);
  }
  if (singles > 0u) {
    binWord(words.x, thread);
  }
  if (singles > 1u) {
    binWord(words.y, thread);
  }
  if (singles > 2u) {
    binWord(words.z, thread);
  }
}

// Bins the row that is left over (section 5.5): at most k words per thread, with range checks, and the last bytes.
fn binLeftOver(first: u32, thread: u32, block: u32, blocks: u32) {
  let words = params.count / 4u;
  for (var word = first + block * THREADS + thread; word < words; word += blocks * THREADS) {
    binWord(wordAt(word), thread);
  }
  if (block == 0u && thread < params.count % 4u) {
    seen ^= increment((wordAt(words) >> (8u * thread)) & 0xffu, thread);
  }
}

@compute @workgroup_size(THREADS)
fn count(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) block: vec3<u32>,
  @builtin(num_workgroups) blocks: vec3<u32>,
) {
  let rowWords = blocks.x * THREADS * params.k;
  let rows = params.count / 4u / rowWords;
  var loops = 0u;
  for (var row = 0u; row < rows; row++) {
    // This is not Figure 5's test, overflow >= 63 - k, which would sum one loop too early.
    if (loops == params.loops) {
      accumulate(thread);
      loops = 0u;
    }
    binShare((row * rowWords + block.x * THREADS * params.k) / 4u, thread);
    loops++;
  }
  if (loops == params.loops) {
    accumulate(thread);
  }
  binLeftOver(rows * rowWords, thread, block.x, blocks.x);
  accumulate(thread);
  writeHistogram(block.x, thread);
}
