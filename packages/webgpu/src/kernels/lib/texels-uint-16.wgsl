// Texels of one 16-bit integer: two per word.

@group(1) @binding(0) var texels: texture_2d<u32>;

const PER_WORD = 2u;

fn texelBits(at: vec2<u32>) -> u32 {
  return textureLoad(texels, at, 0).r;
}
