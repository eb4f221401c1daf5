// TRISH's Count for bytes (Figure 5). The k words of a thread in a loop are 16-byte batches and up to three single
// words:
//
//   a block's share:  [batch][thread] of 16 bytes, then [single word][thread] of 4

@group(0) @binding(0) var<storage, read> data: array<vec4<u32>>;

fn binWord(word: u32, thread: u32) {
  increment(word & 0xffu, thread);
  increment((word >> 8u) & 0xffu, thread);
  increment((word >> 16u) & 0xffu, thread);
  increment(word >> 24u, thread);
}

fn binBatch(batch: vec4<u32>, thread: u32) {
  binWord(batch.x, thread);
  binWord(batch.y, thread);
  binWord(batch.z, thread);
  binWord(batch.w, thread);
}

fn wordAt(at: u32) -> u32 {
  return data[at / 4u][at % 4u];
}

// Four batches are read before the first is binned.
fn binShare(share: u32, thread: u32) {
  let batches = params.k / 4u;
  var i = 0u;
  for (; i + 4u <= batches; i += 4u) {
    let at = share + i * THREADS + thread;
    let a = data[at];
    let b = data[at + THREADS];
    let c = data[at + 2u * THREADS];
    let d = data[at + 3u * THREADS];
    binBatch(a, thread);
    binBatch(b, thread);
    binBatch(c, thread);
    binBatch(d, thread);
  }
  if (i < batches) {
    let at = share + i * THREADS + thread;
    let left = batches - i;
    let a = data[at];
    let b = data[at + select(0u, THREADS, left > 1u)];
    let c = data[at + select(0u, 2u * THREADS, left > 2u)];
    binBatch(a, thread);
    if (left > 1u) {
      binBatch(b, thread);
    }
    if (left > 2u) {
      binBatch(c, thread);
    }
  }
  for (var single = 0u; single < params.k % 4u; single++) {
    binWord(wordAt((share + batches * THREADS) * 4u + single * THREADS + thread), thread);
  }
}

// The row that is left over (section 5.5): at most k words a thread, with range checks, and the last bytes.
fn binLeftOver(first: u32, thread: u32, block: u32, blocks: u32) {
  let words = params.count / 4u;
  for (var word = first + block * THREADS + thread; word < words; word += blocks * THREADS) {
    binWord(wordAt(word), thread);
  }
  if (block == 0u && thread < params.count % 4u) {
    increment((wordAt(words) >> (8u * thread)) & 0xffu, thread);
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
    // Not Figure 5's test, overflow >= 63 - k, which would sum a loop too early.
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
