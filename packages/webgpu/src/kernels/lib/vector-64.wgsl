// The samples of a vector, two of 64 bits. Rows of a few are found before their counters are touched: a lookup behind an
// atomic would wait for it.
//
// to: for sample i of the vector to[i % INTERLEAVED], where a kernel does not know it by the position (its countRow).

fn countVector(v: vec4<u32>, to: vec4<u32>) {
  let rowA = find(v.xy);
  let rowB = find(v.zw);
  countRow(rowA, 0u, to);
  countRow(rowB, 1u % INTERLEAVED, to);
}
