// The ceiling that kernels are compared with: nothing but 16-byte loads, IN_FLIGHT of them at a time.
//
//   sink ^= all words of the whole vectors
//
// Bound: the memory's bandwidth.
// Source: polybin.

override THREADS: u32;
override IN_FLIGHT: u32;

@group(0) @binding(0) var<storage, read> data: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read_write> sink: array<u32>;

@compute @workgroup_size(THREADS)
fn readAll(
  @builtin(global_invocation_id) id: vec3<u32>,
  @builtin(num_workgroups) blocks: vec3<u32>,
) {
  let threads = blocks.x * THREADS;
  let vectors = arrayLength(&data);
  var sum = vec4(0u);
  var at = id.x;
  if (IN_FLIGHT == 8u) {
    for (; at + 7u * threads < vectors; at += 8u * threads) {
      sum ^= data[at] ^ data[at + threads] ^ data[at + 2u * threads] ^ data[at + 3u * threads] ^
        data[at + 4u * threads] ^ data[at + 5u * threads] ^ data[at + 6u * threads] ^ data[at + 7u * threads];
    }
  }
  if (IN_FLIGHT == 4u) {
    for (; at + 3u * threads < vectors; at += 4u * threads) {
      sum ^= data[at] ^ data[at + threads] ^ data[at + 2u * threads] ^ data[at + 3u * threads];
    }
  }
  if (IN_FLIGHT == 2u) {
    for (; at + threads < vectors; at += 2u * threads) {
      sum ^= data[at] ^ data[at + threads];
    }
  }
  for (; at < vectors; at += threads) {
    sum ^= data[at];
  }
  // Hardly any thread writes this, but the compiler cannot know.
  let word = sum.x ^ sum.y ^ sum.z ^ sum.w;
  if (word == 0x9e3779b9u) {
    sink[0] = word;
  }
}
