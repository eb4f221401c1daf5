/** A triangle that covers the target, for the shaders below. */
const COVER = /* wgsl */ `
  @vertex fn cover(@builtin(vertex_index) corner: u32) -> @builtin(position) vec4f {
    return vec4f(f32(corner & 1u) * 4.0 - 1.0, f32(corner >> 1u) * 4.0 - 1.0, 0.0, 1.0);
  }
`;

/** Hills behind a fog that comes and goes: a picture whose contrast is never right. */
export const SCENE = /* wgsl */ `
  struct Moment { size: vec2f, seconds: f32 }
  @group(0) @binding(0) var<uniform> moment: Moment;
  ${COVER}
  fn hill(x: f32, i: f32) -> f32 {
    return 0.3 + 0.13 * i + 0.09 * sin(x * (2.0 + i) + i * 4.1) + 0.03 * sin(x * (9.0 - i) + i);
  }
  @fragment fn paint(@builtin(position) at: vec4f) -> @location(0) vec4f {
    let p = at.xy / moment.size;
    let x = p.x * moment.size.x / moment.size.y + 0.05 * moment.seconds;
    var colour = mix(vec3f(0.15, 0.3, 0.75), vec3f(1.0, 0.75, 0.45), p.y * 1.4);
    let sun = distance(p * vec2f(moment.size.x / moment.size.y, 1.0), vec2f(1.2, 0.3));
    colour = mix(vec3f(1.0, 0.98, 0.85), colour, smoothstep(0.07, 0.09, sun));
    for (var i = 0.0; i < 4.0; i += 1.0) {
      if (p.y > hill(x + i, i)) { colour = vec3f(0.5, 0.35, 0.3) * (0.95 - 0.28 * i) + vec3f(0.0, 0.02, 0.05) * i; }
    }
    let fog = 0.62 + 0.16 * sin(moment.seconds * 0.7);
    let grain = (fract(sin(dot(at.xy, vec2f(12.9898, 78.233))) * 43758.5453) - 0.5) * 0.015;
    return vec4f(mix(colour, vec3f(0.62, 0.64, 0.68), fog) + grain, 1.0);
  }
`;

/**
 * Finds the two values between which all but a part of the samples lie, from the counts that polybin left on the device.
 * One thread for each value. The levels drift towards the new ones, so that the picture does not flicker.
 */
export const LEVELS = /* wgsl */ `
  struct Wish { clip: f32, speed: f32 }
  struct Levels { shown: vec2f, found: vec2u, peak: u32, frames: u32 }
  @group(0) @binding(0) var<storage, read> counts: array<u32>;
  @group(0) @binding(1) var<uniform> wish: Wish;
  @group(0) @binding(2) var<storage, read_write> levels: Levels;
  override stride: u32;
  var<workgroup> upTo: array<u32, 256>;
  var<workgroup> low: u32;
  var<workgroup> high: u32;
  var<workgroup> peak: atomic<u32>;

  @compute @workgroup_size(256) fn find(@builtin(local_invocation_index) value: u32) {
    let rgb = vec3u(counts[value], counts[value + stride], counts[value + 2u * stride]);
    let own = rgb.r + rgb.g + rgb.b;
    upTo[value] = own;
    atomicMax(&peak, max(rgb.r, max(rgb.g, rgb.b)));
    workgroupBarrier();
    for (var step = 1u; step < 256u; step *= 2u) {
      var before = 0u;
      if (value >= step) { before = upTo[value - step]; }
      workgroupBarrier();
      upTo[value] += before;
      workgroupBarrier();
    }
    let all = upTo[255];
    let clipped = u32(f32(all) * wish.clip);
    let below = upTo[value] - own;
    let above = all - upTo[value];
    if (below <= clipped && below + own > clipped) { low = value; }
    if (above <= clipped && above + own > clipped) { high = value; }
    workgroupBarrier();
    if (value == 0u) {
      let speed = select(wish.speed, 1.0, levels.frames == 0u);
      levels.shown = mix(levels.shown, vec2f(f32(low), f32(high)) / 255.0, speed);
      levels.found = vec2u(low, high);
      levels.peak = atomicLoad(&peak);
      levels.frames += 1u;
    }
  }
`;

/** Draws the frame: stretched between the levels to the right of \`split\`, and as it is to the left. */
export const SHOW = /* wgsl */ `
  struct Levels { shown: vec2f }
  @group(0) @binding(0) var frame: texture_2d<f32>;
  @group(0) @binding(1) var<storage, read> levels: Levels;
  @group(0) @binding(2) var<uniform> split: f32;
  ${COVER}
  @fragment fn stretch(@builtin(position) at: vec4f) -> @location(0) vec4f {
    let colour = textureLoad(frame, vec2u(at.xy), 0).rgb;
    let wide = max(levels.shown.y - levels.shown.x, 1.0 / 255.0);
    let stretched = (colour - levels.shown.x) / wide;
    return vec4f(select(stretched, colour, at.x < split), 1.0);
  }
`;

/** Draws a bar for each value and channel, straight from the counts. The brightness between the levels stands out. */
export const CHART = /* wgsl */ `
  struct Levels { shown: vec2f, found: vec2u, peak: u32, frames: u32 }
  @group(0) @binding(0) var<storage, read> counts: array<u32>;
  @group(0) @binding(1) var<storage, read> levels: Levels;
  override stride: u32;
  struct Corner { @builtin(position) at: vec4f, @location(0) colour: vec3f }
  @vertex fn bar(@builtin(vertex_index) corner: u32, @builtin(instance_index) bar: u32) -> Corner {
    let value = bar & 255u;
    let channel = bar >> 8u;
    let x = (f32(value) + f32(corner & 1u)) / 256.0;
    let height = f32(counts[value + channel * stride]) / f32(max(levels.peak, 1u));
    let inside = value >= levels.found.x && value <= levels.found.y;
    var colour = vec3f(0.0);
    colour[channel] = select(0.25, 0.9, inside);
    return Corner(vec4f(2.0 * x - 1.0, 1.9 * height * f32(corner >> 1u) - 1.0, 0.0, 1.0), colour);
  }
  @fragment fn ink(corner: Corner) -> @location(0) vec4f { return vec4f(corner.colour, 1.0); }
`;
