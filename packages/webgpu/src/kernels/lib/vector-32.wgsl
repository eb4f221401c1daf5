// The samples of a vector, four of 32 bits. Rows of a few are found before their counters are touched: a lookup behind an
// atomic would wait for it.
//
// to: for sample i of the vector to[i % INTERLEAVED], where a kernel does not know it by the position (its countRow).

fn countVector(v: vec4<u32>, to: vec4<u32>) {
  countFour(v.x, v.y, v.z, v.w, to, 0u);
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
