// per-segment (polybin's own), for bytes: a workgroup of one to four warps for each segment. All share byte counters in
// 32 columns, and thread t adds to column t % 32. No two lanes of a warp meet in a counter or in a bank, whatever the
// data.
//
//   workgroup memory   table[64][32]: cells 4r … 4r + 3 of column c in [r][c], one byte each: 8 KiB. Once it is added up,
//                      row r holds the sums of thread 64 + r for a moment.
//   private            the next four vectors; the sums of row thread % 64, and with 32 threads of row thread + 32
//
// Bound: latency. A driver may give all workgroups of a multiprocessor about 50 KiB together (seen on an H200), room for
// five tables. So several warps share a table, and each thread loads the next vectors while the workgroup adds up its
// counters. A column counts at most 15 vectors of 16 bytes, and one more byte, before that: 241 bytes, and a counter
// holds 255.

const ROWS = 64u;
const COLUMNS = 32u;
const EVEN = 0x00ff00ffu;

// Vectors that a workgroup counts between two sums: at most the four per thread that it loads ahead.
override FOLD_VECTORS: u32;

var<workgroup> table: array<array<atomic<u32>, COLUMNS>, ROWS>;
// How often the counters of the current part are added up.
var<workgroup> folds: u32;
var<private> thread: u32;
var<private> column: u32;
var<private> next: vec4<u32>;
var<private> second: vec4<u32>;
var<private> third: vec4<u32>;
var<private> fourth: vec4<u32>;

// Raw: a row is the byte.
fn countRow(bits: u32, position: u32, to: vec4<u32>) {
  atomicAdd(&table[bits >> 2u][column], 1u << ((bits & 3u) * 8u));
}

// Loads this thread's vectors from `first` on. Past the end it loads the last vector, which is not counted.
fn loadAhead(part: Part, run: Vectors, first: u32) {
  if (INTERLEAVED == 1u && run.count > 0u) {
    let last = run.count - 1u;
    let at = first + thread;
    next = data[vectorAt(part, run, min(last, at))];
    second = data[vectorAt(part, run, min(last, at + THREADS))];
    third = data[vectorAt(part, run, min(last, at + 2u * THREADS))];
    fourth = data[vectorAt(part, run, min(last, at + 3u * THREADS))];
  }
}

// Counts the loaded vectors, from `first` to `end`.
fn countLoaded(first: u32, end: u32) {
  // A loop instead of four copies of the code, for which compilers would take long.
  for (var at = first + thread; at < end; at += THREADS) {
    countVector(next, vec4(0u));
    next = second;
    second = third;
    third = fourth;
  }
}

fn countSingles(part: Part, run: Vectors, first: u32, end: u32, channel: u32) {
  for (var at = first + thread; at < end; at += THREADS) {
    countRow(singleAt(part, run, at, channel), 0u, vec4(0u));
  }
}

// Adds up and clears a row's columns. Two threads share a row if there are more threads than rows.
fn rowSum(row: u32) -> vec4<u32> {
  let columns = select(COLUMNS, COLUMNS / 2u, THREADS > ROWS);
  let start = column + thread / ROWS * columns;
  var evens = 0u;
  var odds = 0u;
  for (var i = 0u; i < columns; i++) {
    let word = atomicExchange(&table[row][(start + i) % COLUMNS], 0u);
    evens += word & EVEN;
    odds += (word >> 8u) & EVEN;
  }
  return vec4(evens & 0xffffu, odds & 0xffffu, evens >> 16u, odds >> 16u);
}

@compute @workgroup_size(THREADS)
fn count(
  @builtin(local_invocation_index) index: u32,
  @builtin(workgroup_id) block: vec3<u32>,
  @builtin(num_workgroups) blocks: vec3<u32>,
) {
  thread = index;
  column = index % COLUMNS;
  let row = index % ROWS;
  let channel = channelOf(block);
  let parts = partCount();
  // A workgroup without a further part loads the last one, and does not count it.
  let last = max(parts, 1u) - 1u;
  var number = firstPart(block, blocks);
  var part = partOf(min(number, last));
  var run = vectorsOf(part);
  loadAhead(part, run, 0u);
  while (number < parts) {
    number += partStride(blocks);
    let following = partOf(min(number, last));
    let followingRun = vectorsOf(following);
    let singles = part.end - part.first - run.count * MANY;
    if (thread == 0u) {
      let vectors = select(run.count, (singles + MANY - 1u) / MANY, run.count == 0u);
      folds = max(1u, (vectors + FOLD_VECTORS - 1u) / FOLD_VECTORS);
    }
    var low = vec4(0u);
    var high = vec4(0u);
    let times = workgroupUniformLoad(&folds);
    for (var fold = 0u; fold < times; fold++) {
      let begin = fold * FOLD_VECTORS;
      let end = begin + FOLD_VECTORS;
      if (run.count == 0u) {
        countSingles(part, run, begin * MANY, min(singles, end * MANY), channel);
      } else {
        if (fold == 0u) {
          countSingles(part, run, 0u, singles, channel);
        }
        countLoaded(begin, min(run.count, end));
      }
      if (fold + 1u < times) {
        loadAhead(part, run, end);
      } else {
        loadAhead(following, followingRun, 0u);
      }
      workgroupBarrier();
      low += rowSum(row);
      if (THREADS < ROWS) {
        high += rowSum(row + COLUMNS);
      }
      workgroupBarrier();
    }
    if (THREADS > ROWS) {
      if (thread >= ROWS) {
        for (var i = 0u; i < 4u; i++) {
          atomicStore(&table[row][(column + i) % COLUMNS], low[i]);
        }
      }
      workgroupBarrier();
      if (thread < ROWS) {
        for (var i = 0u; i < 4u; i++) {
          low[i] += atomicExchange(&table[row][(column + i) % COLUMNS], 0u);
        }
      }
      workgroupBarrier();
    }
    if (thread < ROWS) {
      for (var i = 0u; i < 4u; i++) {
        put(part.row, 4u * row + i, low[i], block);
      }
    }
    if (THREADS < ROWS) {
      for (var i = 0u; i < 4u; i++) {
        put(part.row, 4u * (row + COLUMNS) + i, high[i], block);
      }
    }
    part = following;
    run = followingRun;
  }
}
