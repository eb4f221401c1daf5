// Texels of four normalized bytes, red first whatever the order in the texture: a word.

@group(1) @binding(0) var texels: texture_2d<f32>;

const PER_WORD = 1u;

// Loaded as byte / 255; the nearest byte is the one that was stored.
fn texelBits(at: vec2<u32>) -> u32 {
  return pack4x8unorm(textureLoad(texels, at, 0));
}
