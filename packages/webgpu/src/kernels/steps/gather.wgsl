// Copies rows of bytes from any place to dense memory, for samples that no kernel could read as whole vectors.
//
//   data      … | row 0 | pitch … | row 1 | …      row 0 begins at byte `left`, anywhere in its word
//   scratch   row 0, row 1, … without gaps, from the first byte on; bytes past the end are 0
//
// A thread writes one word. It shifts four bytes of one row out of two words. If a row ends in the word, it goes byte
// by byte. Bound: the bytes, read and written once.

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

// Returns the source of a byte of the dense rows.
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
