// The bindings of every kernel of weighted sums, the share of a launch that a block has, and the way of sums into
// totals.
//
//   binding 0   the table's values, declared where they are read (values-*.wgsl)
//   binding 1   weights, four per vector, of the documents that are added up, in their order
//   binding 2   their squares, in the same form
//   binding 3   the documents' indices, in the same form, if there is a list
//   binding 4   features: the row of each in the table, and the value whose documents are skipped
//   binding 5   totals[feature], of integers:  counts[bins], lower words of sums[bins], upper words[bins],
//                                              and the same for squares
//               totals[feature], of floats:    counts[bins], then for each flush of each segment sums[bins] and
//                                              squares[bins]; the host adds them up in doubles
//               parts that are not requested do not exist
//   binding 6   params; their declaration precedes this text (params.ts)
//
// A block has some features, a segment of the documents and a window of bins. Block numbers run over features first, so
// that blocks which run at the same time read the same weights.

@group(0) @binding(1) var<storage, read> weights: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> squares: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> documents: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read> features: array<vec2<u32>>;
@group(0) @binding(5) var<storage, read_write> totals: array<atomic<u32>>;
@group(0) @binding(6) var<uniform> params: Params;

// Before this text: const THREADS, and const FEATURES, the number of features that a block adds up side by side.

// Whether documents are counted, and whether squares are added up.
override COUNTS: bool;
override SQUARES: bool;
// Whether weights are floats, for the precision "fast".
override FLOATS: bool;

// A block's share of a launch: `length` documents from `start` on. There are none if the block has no work.
struct Share {
  feature: u32,
  segment: u32,
  firstBin: u32,
  start: u32,
  length: u32,
}

fn shareOf(block: vec3<u32>, blocks: vec3<u32>) -> Share {
  let number = block.y * blocks.x + block.x;
  let beside = (params.features + FEATURES - 1u) / FEATURES;
  let segment = number / beside % params.segments;
  let firstBin = number / beside / params.segments * params.binsPerPass;
  let start = segment * params.segmentDocuments;
  let isThere = firstBin < params.bins && start < params.documents;
  let length = select(0u, min(params.segmentDocuments, params.documents - start), isThere);
  return Share(number % beside * FEATURES, segment, firstBin, start, length);
}

var<private> share: Share;
// Flushes of this block until now.
var<private> flushed: u32;
// Results of atomics, kept in use only for the compiler (see trish).
var<private> seen: u32;

// Rows of a block's tables: the bins of its window, for one feature after another.
fn tableRows() -> u32 {
  return FEATURES * params.binsPerPass;
}

// Whether a row exists. The last window, or the last block, may have fewer.
fn hasRow(row: u32) -> bool {
  return share.feature + row / params.binsPerPass < params.features
    && share.firstBin + row % params.binsPerPass < params.bins;
}

fn totalOf(row: u32) -> u32 {
  let feature = share.feature + row / params.binsPerPass;
  return params.to + feature * params.featureWords + share.firstBin + row % params.binsPerPass;
}

fn addCount(row: u32, count: u32) {
  if (count != 0u && hasRow(row)) {
    atomicAdd(&totals[totalOf(row)], count);
  }
}

// A sum of 64 bits: lower word, upper word.
alias Wide = vec2<u32>;

fn widened(word: u32) -> Wide {
  return Wide(word, u32(i32(word) >> 31u));
}

fn together(a: Wide, b: Wide) -> Wide {
  let lower = a.x + b.x;
  return Wide(lower, a.y + b.y + u32(lower < a.x));
}

// Adds to the sums (kind 0) or the sums of squares (1). Each atomic sees the result of the one before, so the lower
// word's wraps are counted in any order.
fn addSum(row: u32, kind: u32, sum: Wide) {
  if (all(sum == Wide(0u)) || !hasRow(row)) {
    return;
  }
  let at = totalOf(row) + (u32(COUNTS) + 2u * kind) * params.bins;
  let before = atomicAdd(&totals[at], sum.x);
  let upper = sum.y + u32(before > ~sum.x);
  if (upper != 0u) {
    atomicAdd(&totals[at + params.bins], upper);
  }
}

// Adds to the totals of this block's flush for a row. No other block adds to them.
fn addFloat(row: u32, kind: u32, sum: f32) {
  if (sum == 0f || !hasRow(row)) {
    return;
  }
  let slot = (share.segment * params.flushes + flushed) * (1u + u32(SQUARES)) + kind;
  let at = totalOf(row) + (u32(COUNTS) + slot) * params.bins;
  var before = atomicLoad(&totals[at]);
  loop {
    let after = bitcast<u32>(bitcast<f32>(before) + sum);
    let exchange = atomicCompareExchangeWeak(&totals[at], before, after);
    if (exchange.exchanged) {
      break;
    }
    before = exchange.old_value;
  }
}
