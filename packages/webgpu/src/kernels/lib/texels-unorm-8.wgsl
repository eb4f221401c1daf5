// Texels of one normalized byte: four to a word.

@group(1) @binding(0) var texels: texture_2d<f32>;

const PER_WORD = 4u;

// Loaded as byte / 255; the nearest byte is the one that was stored.
fn texelBits(at: vec2<u32>) -> u32 {
  return pack4x8unorm(vec4(textureLoad(texels, at, 0).r, 0.0, 0.0, 0.0));
}
