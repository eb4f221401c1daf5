// per-segment (polybin's own), for bytes: a workgroup as wide as a warp for each segment. It has byte counters, one
// column of them per lane. No two lanes meet in a counter or in a bank, whatever the data.
//
//   workgroup memory   table[64][32]: cells 4r … 4r + 3 of lane l in [r][l], one byte each: 8 KiB
//   private            the sums of cells 4l … 4l + 3 and 128 + 4l … 128 + 4l + 3
//
// Bound: one workgroup atomic per byte, and for each segment the sum over 8 KiB of counters and their clearing. A lane
// counts FOLD_VECTORS vectors of 16 bytes, and one more byte, before all counters are added up. These are 241 bytes,
// and a counter holds 255.

const ROWS = 64u;
const COLUMNS = 32u;
const EVEN = 0x00ff00ffu;

override FOLD_VECTORS: u32;

var<workgroup> table: array<array<atomic<u32>, COLUMNS>, ROWS>;
// How often the counters of the current part are added up.
var<workgroup> folds: u32;
var<private> lane: u32;
var<private> low: vec4<u32>;
var<private> high: vec4<u32>;

// Raw: a row is the byte.
fn countRow(bits: u32, position: u32, to: vec4<u32>) {
  atomicAdd(&table[bits >> 2u][lane], 1u << ((bits & 3u) * 8u));
}

fn rowSum(row: u32) -> vec4<u32> {
  var evens = 0u;
  var odds = 0u;
  for (var i = 0u; i < COLUMNS; i++) {
    let column = (i + lane) % COLUMNS;
    let word = atomicLoad(&table[row][column]);
    atomicStore(&table[row][column], 0u);
    evens += word & EVEN;
    odds += (word >> 8u) & EVEN;
  }
  return vec4(evens & 0xffffu, odds & 0xffffu, evens >> 16u, odds >> 16u);
}

fn countVectors(part: Part, run: Vectors, first: u32, end: u32) {
  for (var at = first + lane; at < end; at += 4u * COLUMNS) {
    let last = end - 1u;
    let a = data[vectorAt(part, run, at)];
    let b = data[vectorAt(part, run, min(last, at + COLUMNS))];
    let c = data[vectorAt(part, run, min(last, at + 2u * COLUMNS))];
    let d = data[vectorAt(part, run, min(last, at + 3u * COLUMNS))];
    // A loop instead of four copies of the code, for which compilers would take long.
    var now = a;
    var second = b;
    var third = c;
    for (var i = 0u; i < min(4u, (end - at + COLUMNS - 1u) / COLUMNS); i++) {
      countVector(now, vec4(0u));
      now = second;
      second = third;
      third = d;
    }
  }
}

fn countSingles(part: Part, run: Vectors, first: u32, end: u32, channel: u32) {
  for (var at = first + lane; at < end; at += COLUMNS) {
    countRow(singleAt(part, run, at, channel), 0u, vec4(0u));
  }
}

@compute @workgroup_size(THREADS)
fn count(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) block: vec3<u32>,
  @builtin(num_workgroups) blocks: vec3<u32>,
) {
  lane = thread;
  let channel = channelOf(block);
  let parts = partCount();
  for (var number = firstPart(block, blocks); number < parts; number += partStride(blocks)) {
    let part = partOf(number);
    let run = vectorsOf(part);
    let singles = part.end - part.first - run.count * MANY;
    let perFold = FOLD_VECTORS * COLUMNS;
    if (thread == 0u) {
      let vectors = select(run.count, (singles + MANY - 1u) / MANY, run.count == 0u);
      folds = (vectors + perFold - 1u) / perFold;
    }
    low = vec4(0u);
    high = vec4(0u);
    let times = workgroupUniformLoad(&folds);
    for (var fold = 0u; fold < times; fold++) {
      let begin = fold * perFold;
      if (run.count == 0u) {
        countSingles(part, run, begin * MANY, min(singles, (begin + perFold) * MANY), channel);
      } else {
        if (fold == 0u) {
          countSingles(part, run, 0u, singles, channel);
        }
        if (INTERLEAVED == 1u) {
          countVectors(part, run, begin, min(run.count, begin + perFold));
        }
      }
      workgroupBarrier();
      low += rowSum(lane);
      high += rowSum(lane + COLUMNS);
      workgroupBarrier();
    }
    for (var i = 0u; i < 4u; i++) {
      put(part.row, lane * 4u + i, low[i], block);
      put(part.row, (lane + COLUMNS) * 4u + i, high[i], block);
    }
  }
}
