// Samples of 32 bits as they lie in memory: four per vector.

@group(0) @binding(0) var<storage, read> data: array<vec4<u32>>;

alias Bits = u32;
const MANY = 4u;

fn bitsAt(at: u32) -> Bits {
  return data[at / MANY][at % MANY];
}
