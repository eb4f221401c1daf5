// The bindings of kernels over several columns, and what these kernels share.
//
//   binding 0, 1, 2   columns, declared where they are read
//   binding 3         lookups of the columns, one after the other
//   binding 4         mask: a byte or a bit per sample; 0 leaves the sample out
//   binding 5         list: the indices of the selected samples
//   binding 6         the cell of each sample, for kernels that read cells instead of columns
//   binding 7         counts[cells], then the number of samples that the mask leaves out
//   binding 8         params
//
// Eight storage buffers are what every WebGPU device has.

@group(0) @binding(3) var<storage, read> lookup: array<u32>;
@group(0) @binding(4) var<storage, read> mask: array<u32>;
@group(0) @binding(5) var<storage, read> list: array<u32>;
@group(0) @binding(6) var<storage, read_write> cells: array<u32>;
@group(0) @binding(7) var<storage, read_write> counts: array<atomic<u32>>;
@group(0) @binding(8) var<uniform> params: Params;

// Whether a list selects the samples.
override LISTED: bool;

// Returns the index of a sample in the columns. Samples of the list that lie in other parts of the columns get an index
// past the end.
fn sampleAt(at: u32) -> u32 {
  if (LISTED) {
    return list[at] - params.base;
  }
  return at;
}
