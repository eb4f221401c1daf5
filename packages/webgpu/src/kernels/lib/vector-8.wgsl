// The samples of a vector, sixteen bytes. Rows of a few are found before their counters are touched: a lookup behind an
// atomic would wait for it.
//
// to: for sample i of the vector to[i % INTERLEAVED], where a kernel does not know it by the position (its countRow).

fn countVector(v: vec4<u32>, to: vec4<u32>) {
  countBytes(v.x, to, 0u);
  countBytes(v.y, to, 4u);
  countBytes(v.z, to, 8u);
  countBytes(v.w, to, 12u);
}

fn countBytes(word: u32, to: vec4<u32>, at: u32) {
  countFour(
    extractBits(word, 0u, 8u),
    extractBits(word, 8u, 8u),
    extractBits(word, 16u, 8u),
    extractBits(word, 24u, 8u),
    to,
    at,
  );
}

fn countFour(a: u32, b: u32, c: u32, d: u32, to: vec4<u32>, at: u32) {
  let rowA = find(a);
  let rowB = find(b);
  let rowC = find(c);
  let rowD = find(d);
  countRow(rowA, at % INTERLEAVED, to);
  countRow(rowB, (at + 1u) % INTERLEAVED, to);
  countRow(rowC, (at + 2u) % INTERLEAVED, to);
  countRow(rowD, (at + 3u) % INTERLEAVED, to);
}
