// Texels of one normalized byte: four per word.

@group(1) @binding(0) var texels: texture_2d<f32>;

const PER_WORD = 4u;

// The load returns byte / 255. The nearest byte is the stored one.
fn texelBits(at: vec2<u32>) -> u32 {
  return pack4x8unorm(vec4(textureLoad(texels, at, 0).r, 0.0, 0.0, 0.0));
}
