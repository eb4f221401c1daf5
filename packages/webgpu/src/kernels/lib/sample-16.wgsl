// Samples of 16 bits as they lie in memory: eight to a vector.

@group(0) @binding(0) var<storage, read> data: array<vec4<u32>>;

alias Bits = u32;
const MANY = 8u;

fn bitsAt(at: u32) -> Bits {
  return (data[at / MANY][at / 2u % 4u] >> (at % 2u * 16u)) & 0xffffu;
}

// to: for sample i of the vector to[i % INTERLEAVED].
fn countVector(v: vec4<u32>, to: vec4<u32>) {
  countSample(v.x & 0xffffu, to[0]);
  countSample(v.x >> 16u, to[1u % INTERLEAVED]);
  countSample(v.y & 0xffffu, to[2u % INTERLEAVED]);
  countSample(v.y >> 16u, to[3u % INTERLEAVED]);
  countSample(v.z & 0xffffu, to[4u % INTERLEAVED]);
  countSample(v.z >> 16u, to[5u % INTERLEAVED]);
  countSample(v.w & 0xffffu, to[6u % INTERLEAVED]);
  countSample(v.w >> 16u, to[7u % INTERLEAVED]);
}
