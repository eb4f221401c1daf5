// Codes of 32 bits. A word has four, which one load of 16 bytes reads.

@group(0) @binding(0) var<storage, read> data: array<vec4<u32>>;

fn fetch(word: u32) -> vec4<u32> {
  return data[min(word, wholeWords())];
}
