// Counts the samples of a vector, two of 64 bits. It finds the rows of a few samples before it touches their counters,
// because a lookup after an atomic would wait for it.
//
// to: sample i of the vector uses to[i % INTERLEAVED], if a kernel cannot derive it from the position (its countRow).

fn countVector(v: vec4<u32>, to: vec4<u32>) {
  let rowA = find(v.xy);
  let rowB = find(v.zw);
  countRow(rowA, 0u, to);
  countRow(rowB, 1u % INTERLEAVED, to);
}
