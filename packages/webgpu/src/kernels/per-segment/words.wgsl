// per-segment (polybin's own), in words: a workgroup for each segment, or for each part of a long one.
//
//   workgroup memory   table[rows][R], R = replicas: row r of thread t in [r][t mod R]
//
//   rows:  raw 0 … 255, the sample's bits; otherwise ranks: 0 underflow | 1 … bins | bins + 1 overflow | bins + 2 NaN
//   grid:  workgroups, which take parts in turn; windows of rows if not all fit; channels if all samples are one segment
//
// Bound: one 32-bit workgroup atomic per sample, and the bytes of the samples and of the rows. No counter can overflow,
// because a dispatch reads fewer than 2^32 bytes.

// Before this text: const REPLICAS. (An inner length cannot be an override.)

override ROWS: u32;
// Whether a workgroup counts only some of the rows.
override WINDOWED: bool;
// 1 if nothing can underflow. 0 for raw samples.
override FIRST_ROW: u32;

var<workgroup> table: array<array<atomic<u32>, REPLICAS>, ROWS>;
var<private> lane: u32;
var<private> firstRow: u32;
var<private> blockRows: u32;

fn countRow(found: u32, position: u32, to: vec4<u32>) {
  let row = found - select(FIRST_ROW, firstRow, WINDOWED);
  if (WINDOWED && row >= blockRows) {
    return;
  }
  atomicAdd(&table[row][lane], 1u);
}

fn countVectors(part: Part, run: Vectors, thread: u32) {
  for (var at = thread; at < run.count; at += 4u * THREADS) {
    let last = run.count - 1u;
    let a = data[vectorAt(part, run, at)];
    let b = data[vectorAt(part, run, min(last, at + THREADS))];
    let c = data[vectorAt(part, run, min(last, at + 2u * THREADS))];
    let d = data[vectorAt(part, run, min(last, at + 3u * THREADS))];
    var now = a;
    var second = b;
    var third = c;
    // A loop instead of four copies of the code, because a sample's row may take long to find.
    for (var i = 0u; i < min(4u, (run.count - at + THREADS - 1u) / THREADS); i++) {
      countVector(now, vec4(0u));
      now = second;
      second = third;
      third = d;
    }
  }
}

fn countPart(part: Part, thread: u32, channel: u32) {
  let run = vectorsOf(part);
  if (INTERLEAVED == 1u) {
    countVectors(part, run, thread);
  }
  let singles = part.end - part.first - run.count * MANY;
  for (var at = thread; at < singles; at += THREADS) {
    countRow(find(singleAt(part, run, at, channel)), 0u, vec4(0u));
  }
}

// Adds up the copies and clears them. Neighbouring threads begin their rows at different banks.
fn flush(row: u32, thread: u32, block: vec3<u32>) {
  for (var at = thread; at < blockRows; at += THREADS) {
    let stagger = at * REPLICAS / 32u;
    var sum = 0u;
    for (var i = 0u; i < REPLICAS; i++) {
      let copy = (i + stagger) % REPLICAS;
      sum += atomicLoad(&table[at][copy]);
      atomicStore(&table[at][copy], 0u);
    }
    put(row, firstRow + at, sum, block);
  }
}

@compute @workgroup_size(THREADS)
fn count(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) block: vec3<u32>,
  @builtin(num_workgroups) blocks: vec3<u32>,
) {
  let window = select(block.y, block.z, SEGMENTED) * params.rowsPerBlock;
  lane = thread % REPLICAS;
  firstRow = window + FIRST_ROW;
  blockRows = min(params.rowsPerBlock, params.rows - window);
  prepareLookup(thread, THREADS);
  workgroupBarrier();
  let channel = channelOf(block);
  let parts = partCount();
  for (var number = firstPart(block, blocks); number < parts; number += partStride(blocks)) {
    let part = partOf(number);
    countPart(part, thread, channel);
    workgroupBarrier();
    flush(part.row, thread, block);
    workgroupBarrier();
  }
}
