// Samples of 64 bits as they lie in memory: two per vector, low word first.

@group(0) @binding(0) var<storage, read> data: array<vec4<u32>>;

alias Bits = vec2<u32>;
const MANY = 2u;

fn bitsAt(at: u32) -> Bits {
  let v = data[at / MANY];
  return select(v.xy, v.zw, at % MANY == 1u);
}
