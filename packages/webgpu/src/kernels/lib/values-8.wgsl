// Values of a byte: four per word.

@group(0) @binding(0) var<storage, read> data: array<u32>;

alias Values = u32;
// Documents of a unit, and groups of four among them. A group's weights are a vector.
const UNIT = 4u;
const FOURS = 1u;

fn valueAt(values: Values, i: u32) -> u32 {
  return extractBits(values, i * 8u, 8u);
}

fn bitsOf(row: u32, document: u32) -> u32 {
  return extractBits(data[row + document / 4u], document % 4u * 8u, 8u);
}

// Returns the values of any four documents, in the layout of four consecutive documents in a unit.
fn gathered(row: u32, four: vec4<u32>, number: u32) -> Values {
  let low = bitsOf(row, four.x) | (bitsOf(row, four.y) << 8u);
  let high = bitsOf(row, four.z) | (bitsOf(row, four.w) << 8u);
  return low | (high << 16u);
}
