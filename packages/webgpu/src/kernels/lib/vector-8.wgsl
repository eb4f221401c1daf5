// Counts the samples of a vector, sixteen bytes. It finds the rows of a few samples before it touches their counters,
// because a lookup after an atomic would wait for it.
//
// to: sample i of the vector uses to[i % INTERLEAVED], if a kernel cannot derive it from the position (its countRow).

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
