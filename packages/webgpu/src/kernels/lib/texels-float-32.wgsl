// Texels of one 32-bit float, which is a word. Nothing computes with it, so NaN, infinity and denormals keep their
// bits.

@group(1) @binding(0) var texels: texture_2d<f32>;

const PER_WORD = 1u;

fn texelBits(at: vec2<u32>) -> u32 {
  return bitcast<u32>(textureLoad(texels, at, 0).r);
}
