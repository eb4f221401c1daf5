// Samples of 8 bits as they lie in memory: sixteen to a vector.

@group(0) @binding(0) var<storage, read> data: array<vec4<u32>>;

alias Bits = u32;
const MANY = 16u;

fn bitsAt(at: u32) -> Bits {
  return (data[at / MANY][at / 4u % 4u] >> (at % 4u * 8u)) & 0xffu;
}

// to: for sample i of the vector to[i % INTERLEAVED].
fn countVector(v: vec4<u32>, to: vec4<u32>) {
  countFour(v.x, to, 0u);
  countFour(v.y, to, 4u % INTERLEAVED);
  countFour(v.z, to, 8u % INTERLEAVED);
  countFour(v.w, to, 12u % INTERLEAVED);
}

fn countFour(word: u32, to: vec4<u32>, at: u32) {
  countSample(extractBits(word, 0u, 8u), to[at % INTERLEAVED]);
  countSample(extractBits(word, 8u, 8u), to[(at + 1u) % INTERLEAVED]);
  countSample(extractBits(word, 16u, 8u), to[(at + 2u) % INTERLEAVED]);
  countSample(extractBits(word, 24u, 8u), to[(at + 3u) % INTERLEAVED]);
}
