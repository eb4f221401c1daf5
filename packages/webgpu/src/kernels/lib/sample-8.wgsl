// Samples of 8 bits as they lie in memory: sixteen per vector.

@group(0) @binding(0) var<storage, read> data: array<vec4<u32>>;

alias Bits = u32;
const MANY = 16u;

fn bitsAt(at: u32) -> Bits {
  return (data[at / MANY][at / 4u % 4u] >> (at % 4u * 8u)) & 0xffu;
}
