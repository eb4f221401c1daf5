// One histogram per block without atomics. Thread t counts only the cells of bank t. To find them, it reads every word
// of a tile.
//
//   workgroup memory:  tile, word = [row][column], 32 x 32; in cycle i thread t reads column (i + t) mod 32
//                      then the histogram, word = [cell]: cell c lies in bank c mod 32 and belongs to thread c mod 32
//
// Bound: 32 threads read every code, and one of them counts it.
// Source: Hardavellas, Histograms: Is there an alternative?

override THREADS: u32;
override TABLE_WORDS: u32;
override TILE_WORDS: u32;
override BYTES: bool;

@group(0) @binding(0) var<storage, read> data: array<u32>;

var<workgroup> tile: array<u32, TILE_WORDS>;
var<workgroup> table: array<u32, TABLE_WORDS>;

fn countCode(code: u32, thread: u32) {
  let cell = code - params.first;
  if (cell < params.cells && cell % THREADS == thread) {
    table[cell]++;
  }
}

// Counts a word of 32 bits: four bytes (the last word may have fewer), or one code.
fn countWord(word: u32, present: u32, thread: u32) {
  if (BYTES) {
    for (var i = 0u; i < present; i++) {
      countCode((word >> (8u * i)) & 0xffu, thread);
    }
  } else {
    countCode(word, thread);
  }
}

@compute @workgroup_size(THREADS)
fn count(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) block: vec3<u32>,
  @builtin(num_workgroups) blocks: vec3<u32>,
) {
  let codesAWord = select(1u, 4u, BYTES);
  let words = (params.count + codesAWord - 1u) / codesAWord;
  for (var start = block.x * TILE_WORDS; start < words; start += blocks.x * TILE_WORDS) {
    let size = min(TILE_WORDS, words - start);
    workgroupBarrier();
    for (var i = thread; i < size; i += THREADS) {
      tile[i] = data[start + i];
    }
    workgroupBarrier();
    for (var row = 0u; row < size; row += THREADS) {
      for (var i = 0u; i < THREADS; i++) {
        let at = row + (i + thread) % THREADS;
        if (at < size) {
          countWord(tile[at], min(4u, params.count - (start + at) * codesAWord), thread);
        }
      }
    }
  }
  workgroupBarrier();
  for (var cell = thread; cell < params.cells; cell += THREADS) {
    if (table[cell] != 0u) {
      atomicAdd(&counts[params.to + cell], table[cell]);
    }
  }
}
