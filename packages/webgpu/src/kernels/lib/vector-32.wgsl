// Counts the samples of a vector, four of 32 bits. It finds the rows of a few samples before it touches their counters,
// because a lookup after an atomic would wait for it.
//
// to: sample i of the vector uses to[i % INTERLEAVED], if a kernel cannot derive it from the position (its countRow).

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
