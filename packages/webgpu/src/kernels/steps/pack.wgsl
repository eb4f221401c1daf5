// Writes a rectangle of texels as dense samples, in the bits that the texture stores (lib/texels-*.wgsl).
//
//   texels     rows of `rowSize` texels, the first one at (left, top)
//   scratch    32-bit words of PER_WORD texels, the first in the lowest bits; texels past the end are 0
//
// Bound: the texels' bytes, read and written once.

override THREADS: u32;

@compute @workgroup_size(THREADS)
fn pack(
  @builtin(global_invocation_id) id: vec3<u32>,
  @builtin(num_workgroups) blocks: vec3<u32>,
) {
  let words = (params.count + PER_WORD - 1u) / PER_WORD;
  for (var word = id.x; word < words; word += blocks.x * THREADS) {
    var bits = 0u;
    for (var i = 0u; i < PER_WORD; i++) {
      let texel = word * PER_WORD + i;
      if (texel < params.count) {
        let at = vec2(params.left + texel % params.rowSize, params.top + texel / params.rowSize);
        bits |= texelBits(at) << (i * (32u / PER_WORD));
      }
    }
    scratch[word] = bits;
  }
}
