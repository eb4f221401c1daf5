// Codes of 8 bits, which are raw samples. A word has four.

@group(0) @binding(0) var<storage, read> data: array<u32>;

fn fetch(word: u32) -> vec4<u32> {
  let bytes = data[min(word, wholeWords())];
  return vec4(bytes & 0xffu, (bytes >> 8u) & 0xffu, (bytes >> 16u) & 0xffu, bytes >> 24u);
}
