// Counts four vectors of per-lane in a loop instead of four copies of the code. It is for samples whose rows take long
// to find, because compilers would take long for the copies.

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
