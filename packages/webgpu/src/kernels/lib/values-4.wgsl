// Values of half a byte: eight per word. The even document's value is in the lower half of its byte.

@group(0) @binding(0) var<storage, read> data: array<u32>;

alias Values = u32;
// Documents of a unit, and groups of four among them. A group's weights are a vector.
const UNIT = 8u;
const FOURS = 2u;

fn valueAt(values: Values, i: u32) -> u32 {
  return extractBits(values, i * 4u, 4u);
}

fn bitsOf(row: u32, document: u32) -> u32 {
  return extractBits(data[row + document / 8u], document % 8u * 4u, 4u);
}

// Returns the values of any four documents, in the layout of four consecutive documents in a unit.
fn gathered(row: u32, four: vec4<u32>, number: u32) -> Values {
  let low = bitsOf(row, four.x) | (bitsOf(row, four.y) << 4u);
  let high = bitsOf(row, four.z) | (bitsOf(row, four.w) << 4u);
  return (low | (high << 8u)) << (16u * number);
}
