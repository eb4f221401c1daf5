// Rows of bytes that lie anywhere, brought together: samples that no kernel could read as whole vectors.
//
//   data      … | row 0 | pitch … | row 1 | …      the first byte of row 0 at byte `left`, at any place in its word
//   scratch   row 0, row 1, … without a gap, the first at the first byte; bytes past the end are 0
//
// A thread writes a word: of four bytes of one row, shifted out of two words; or byte by byte, where a row ends in it.
// Bound: the bytes, read and written once.

override THREADS: u32;

@group(0) @binding(0) var<storage, read> data: array<u32>;

fn byteAt(at: u32) -> u32 {
  return (data[at / 4u] >> (at % 4u * 8u)) & 0xffu;
}

fn wordAt(at: u32) -> u32 {
  let shift = at % 4u * 8u;
  let low = data[at / 4u];
  if (shift == 0u) {
    return low;
  }
  return (low >> shift) | (data[at / 4u + 1u] << (32u - shift));
}

// Where a byte of the dense rows comes from.
fn origin(byte: u32) -> u32 {
  return params.left + byte / params.rowSize * params.rowPitch + byte % params.rowSize;
}

@compute @workgroup_size(THREADS)
fn gather(
  @builtin(global_invocation_id) id: vec3<u32>,
  @builtin(num_workgroups) blocks: vec3<u32>,
) {
  let words = (params.count + 3u) / 4u;
  for (var word = id.x; word < words; word += blocks.x * THREADS) {
    let first = word * 4u;
    let present = min(4u, params.count - first);
    if (present == 4u && first % params.rowSize + 4u <= params.rowSize) {
      scratch[word] = wordAt(origin(first));
      continue;
    }
    var bytes = 0u;
    for (var i = 0u; i < present; i++) {
      bytes |= byteAt(origin(first + i)) << (8u * i);
    }
    scratch[word] = bytes;
  }
}
