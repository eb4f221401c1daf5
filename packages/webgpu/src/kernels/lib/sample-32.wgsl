// Samples of 32 bits as they lie in memory: four to a vector.

@group(0) @binding(0) var<storage, read> data: array<vec4<u32>>;

alias Bits = u32;
const MANY = 4u;

fn bitsAt(at: u32) -> Bits {
  return data[at / MANY][at % MANY];
}

// to: for sample i of the vector to[i % INTERLEAVED].
fn countVector(v: vec4<u32>, to: vec4<u32>) {
  countSample(v.x, to[0]);
  countSample(v.y, to[1u % INTERLEAVED]);
  countSample(v.z, to[2u % INTERLEAVED]);
  countSample(v.w, to[3u % INTERLEAVED]);
}
