// Counts four vectors of per-lane with four copies of the code, for samples whose rows are quick to find.

fn countBatch(at: u32, apart: u32, a: vec4<u32>, b: vec4<u32>, c: vec4<u32>, d: vec4<u32>) {
  countVector(a, tablesOf(at));
  countVector(b, tablesOf(at + apart));
  countVector(c, tablesOf(at + 2u * apart));
  countVector(d, tablesOf(at + 3u * apart));
}
