// What every kernel is bound to, and what differs from one dispatch to the next. Kernels are compiled for a plan
// (its numbers are overrides); axes and pieces of samples come and go without another pipeline.
//
//   binding 0   samples or codes, declared where they are read
//   binding 1   the lowering's lookup: thresholds, then starts (find-ranks-*.wgsl); or a table
//   binding 2   counts[channel][cells, underflow, overflow, NaN]
//   binding 3   what a kernel hands to the next one: codes, blocks' histograms, or dense samples; fold: to the user
//   binding 4   params: before this text, of params.ts and of what a lowering and an algorithm add to it
//   group 1     texels, where a kernel reads them

@group(0) @binding(1) var<storage, read> lookup: array<u32>;
@group(0) @binding(2) var<storage, read_write> counts: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read_write> scratch: array<u32>;
@group(0) @binding(4) var<uniform> params: Params;

// A code that is no cell of any pass.
const NONE = 0xffffffffu;
