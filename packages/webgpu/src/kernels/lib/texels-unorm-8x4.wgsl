// Texels of four normalized bytes: one word. Red comes first, whatever the order in the texture.

@group(1) @binding(0) var texels: texture_2d<f32>;

const PER_WORD = 1u;

// The load returns byte / 255. The nearest byte is the stored one.
fn texelBits(at: vec2<u32>) -> u32 {
  return pack4x8unorm(textureLoad(texels, at, 0));
}
