// Four vectors of per-lane, moved on rather than written four times: a sample's way to its row is long, and compilers
// would take their time.

fn countBatch(at: u32, apart: u32, a: vec4<u32>, b: vec4<u32>, c: vec4<u32>, d: vec4<u32>) {
  var now = a;
  var second = b;
  var third = c;
  for (var i = 0u; i < 4u; i++) {
    countVector(now, tablesOf(at + i * apart));
    now = second;
    second = third;
    third = d;
  }
}
