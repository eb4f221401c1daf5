// The bindings of every kernel, and the params that differ between dispatches. Kernels are compiled for a plan, whose
// numbers are overrides. Other axes and other pieces of samples need no other pipeline.
//
//   binding 0   samples or codes, declared where they are read
//   binding 1   the lowering's lookup: thresholds, then starts (find-ranks-*.wgsl); or a table
//   binding 2   counts[channel][cells, underflow, overflow, NaN]
//   binding 3   output for the next kernel: codes, blocks' partial tables, or dense samples. fold: the user's buffer
//   binding 4   params; their declaration precedes this text: params.ts, plus fields of a lowering and an algorithm
//   group 1     texels, for kernels that read them

@group(0) @binding(1) var<storage, read> lookup: array<u32>;
@group(0) @binding(2) var<storage, read_write> counts: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read_write> scratch: array<u32>;
@group(0) @binding(4) var<uniform> params: Params;

// A code that is no cell of any pass.
const NONE = 0xffffffffu;
