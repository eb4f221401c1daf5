// What every kernel is bound to, and what differs from one dispatch to the next. Kernels are compiled for a plan
// (its numbers are overrides); axes and pieces of samples come and go without another pipeline.
//
//   binding 0   samples or codes, declared where they are read
//   binding 1   the lowering's lookup: thresholds, then starts (lib/ranks-*.wgsl); or a table
//   binding 2   counts[channel][cells, underflow, overflow, NaN]
//   binding 3   what a kernel hands to the next one: codes, blocks' histograms, or dense samples; fold: to the user
//   group 1     texels, where a kernel reads them

struct Params {
  // Samples of all channels, pixels, or codes.
  count: u32,
  // The first pixel, or the first cell of a pass.
  first: u32,
  // Cells of a pass; per-lane and lower: of a channel.
  cells: u32,
  // Where in the counts the channel or the pass begins.
  to: u32,
  // Position of the channel in its pixel, or positions as bits.
  channel: u32,
  bins: u32,
  // Integers: the bit that orders them.
  flip: u32,
  // Keys of the first and the last threshold; scaled: of the first and the last sample of the bins; direct: next to
  // those.
  firstKey: u32,
  lastKey: u32,
  thresholds: u32,
  // The guess's last cell, and how it is found.
  lastCell: u32,
  keyBase: u32,
  keyShift: u32,
  // The first step of the search, a power of two.
  firstStep: u32,
  origin: f32,
  inverse: f32,
  scaleHigh: u32,
  scaleLow: u32,
  // Blocks of the dispatch before.
  blocks: u32,
  // per-lane: rows of a channel, and of a block.
  rows: u32,
  rowsPerBlock: u32,
  // trish: words of a loop, and loops before the rows are summed (section 5.4).
  k: u32,
  loops: u32,
  // gather, pack: bytes or texels of a row, bytes from row to row, and where the first one begins.
  rowSize: u32,
  rowPitch: u32,
  left: u32,
  top: u32,
}

@group(0) @binding(1) var<storage, read> lookup: array<u32>;
@group(0) @binding(2) var<storage, read_write> counts: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read_write> scratch: array<u32>;
@group(0) @binding(4) var<uniform> params: Params;

// A code that is no cell of any pass.
const NONE = 0xffffffffu;
