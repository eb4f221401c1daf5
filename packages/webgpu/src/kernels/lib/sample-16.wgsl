// Samples of 16 bits as they lie in memory: eight per vector.

@group(0) @binding(0) var<storage, read> data: array<vec4<u32>>;

alias Bits = u32;
const MANY = 8u;

fn bitsAt(at: u32) -> Bits {
  return (data[at / MANY][at / 2u % 4u] >> (at % 2u * 16u)) & 0xffffu;
}
