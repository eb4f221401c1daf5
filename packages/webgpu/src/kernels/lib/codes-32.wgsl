// Codes of 32 bits, four to a word: a load of 16 bytes.

@group(0) @binding(0) var<storage, read> data: array<vec4<u32>>;

fn fetch(word: u32) -> vec4<u32> {
  return data[min(word, wholeWords())];
}
