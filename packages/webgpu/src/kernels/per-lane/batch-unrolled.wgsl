// Four vectors of per-lane, one after the other: for samples whose way to their row is short.

fn countBatch(at: u32, apart: u32, a: vec4<u32>, b: vec4<u32>, c: vec4<u32>, d: vec4<u32>) {
  countVector(a, tablesOf(at));
  countVector(b, tablesOf(at + apart));
  countVector(c, tablesOf(at + 2u * apart));
  countVector(d, tablesOf(at + 3u * apart));
}
