// Values of two bytes: four per pair of words.

@group(0) @binding(0) var<storage, read> data: array<vec2<u32>>;

alias Values = vec2<u32>;
// Documents of a unit, and groups of four among them. A group's weights are a vector.
const UNIT = 4u;
const FOURS = 1u;

fn valueAt(values: Values, i: u32) -> u32 {
  return extractBits(select(values.x, values.y, i > 1u), i % 2u * 16u, 16u);
}

fn bitsOf(row: u32, document: u32) -> u32 {
  return valueAt(data[row + document / 4u], document % 4u);
}

// Returns the values of any four documents, in the layout of four consecutive documents in a unit.
fn gathered(row: u32, four: vec4<u32>, number: u32) -> Values {
  return Values(
    bitsOf(row, four.x) | (bitsOf(row, four.y) << 16u),
    bitsOf(row, four.z) | (bitsOf(row, four.w) << 16u),
  );
}
