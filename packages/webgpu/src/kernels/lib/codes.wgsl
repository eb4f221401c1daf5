// Reads codes for the kernels, in words of four. The threads of a grid take the words in turn (core's gridWords). A
// kernel provides THREADS and a function `step`, which receives each word of its thread.

fn wholeWords() -> u32 {
  return params.count / 4u;
}

// Returns the codes of a word relative to the pass's first cell, and NONE for those past the end. Codes below the pass
// wrap around to large numbers. So one comparison with the pass's cells skips everything that the pass does not count.
fn decode(raw: vec4<u32>, word: u32) -> vec4<u32> {
  let whole = wholeWords();
  let present = select(select(0u, params.count % 4u, word == whole), 4u, word < whole);
  return select(vec4(NONE), raw - params.first, vec4(0u, 1u, 2u, 3u) < vec4(present));
}

// Thread t of block b begins at word b * THREADS + t and advances by the number of all threads. All threads of a block
// take the same number of steps, so `step` may contain barriers; the last steps may see NONEs. The step's index is the
// same for all of them. All words of a batch are loaded before the first one is used.
fn eachWord(thread: u32, block: u32, blocks: u32) {
  let stride = blocks * THREADS;
  let words = (params.count + 3u) / 4u;
  var index = 0u;
  for (var base = block * THREADS; base < words; base += 4u * stride) {
    let at = base + thread;
    let a = fetch(at);
    let b = fetch(at + stride);
    let c = fetch(at + 2u * stride);
    let d = fetch(at + 3u * stride);
    step(decode(a, at), index, thread);
    step(decode(b, at + stride), index + 1u, thread);
    step(decode(c, at + 2u * stride), index + 2u, thread);
    step(decode(d, at + 3u * stride), index + 3u, thread);
    index += 4u;
  }
}

// Adds a block's count of a cell to the total counts.
fn addCount(cell: u32, amount: u32) {
  if (amount != 0u) {
    atomicAdd(&counts[params.to + cell], amount);
  }
}
