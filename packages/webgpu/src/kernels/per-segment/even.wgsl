// per-segment (polybin's own), for bytes in segments of one length that are whole vectors: a workgroup of two or four
// warps for each segment. All share byte counters in 16 columns, and thread t adds to column t % 16.
//
//   workgroup memory   table[64][16]: cells 4r … 4r + 3 of column c in [r][c], one byte each: 4 KiB
//                      spill[64]: the same for one byte of each column: 256 bytes
//                      halves[64]: the sums of the threads from 64 on: 512 bytes
//   private            the next two vectors, and the sums of row t % 64
//
// Bound: latency, as in bytes.wgsl. Half as many columns leave room for twice as many workgroups. An H200 takes 20% less
// time with them, although lanes t and t + 16 of a warp can meet in a bank. Nothing is checked for each sample or row.
//
// A column counts at most 16 vectors between two sums. These are 256 bytes, and a counter holds 255. So the last byte of
// the sixteenth vector is counted in `spill`, whose counters reach 16 at most.

const ROWS = 64u;
const COLUMNS = 16u;
const EVEN = 0x00ff00ffu;
const VECTOR_BYTES = 16u;
// Vectors that a thread loads ahead: a workgroup of 128 threads counts 16 per column.
const AHEAD = 2u;
const SPILLING_THREADS = 128u;

// ROWS, or twice as many.
override THREADS: u32;

// The rows of binding 2, which nobody else writes at the same time.
@group(0) @binding(2) var<storage, read_write> rows: array<vec4<u32>>;

var<workgroup> table: array<array<atomic<u32>, COLUMNS>, ROWS>;
var<workgroup> spill: array<atomic<u32>, ROWS>;
var<workgroup> halves: array<vec2<u32>, ROWS>;
var<private> column: u32;

// Returns the 1 of a cell's byte in its word.
fn one(bits: u32) -> u32 {
  return 1u << ((bits & 3u) * 8u);
}

fn add(bits: u32) {
  atomicAdd(&table[bits >> 2u][column], one(bits));
}

fn addThree(word: u32) {
  add(extractBits(word, 0u, 8u));
  add(extractBits(word, 8u, 8u));
  add(extractBits(word, 16u, 8u));
}

fn addVector(v: vec4<u32>, spills: bool) {
  addThree(v.x);
  add(v.x >> 24u);
  addThree(v.y);
  add(v.y >> 24u);
  addThree(v.z);
  add(v.z >> 24u);
  addThree(v.w);
  let last = v.w >> 24u;
  if (spills) {
    atomicAdd(&spill[last >> 2u], one(last));
  } else {
    add(last);
  }
}

// Adds a word of counters to the sums of its cells: x holds those of cells 0 and 2, y those of cells 1 and 3.
fn plus(sums: vec2<u32>, word: u32) -> vec2<u32> {
  return sums + vec2(word & EVEN, (word >> 8u) & EVEN);
}

@compute @workgroup_size(THREADS)
fn countEven(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) block: vec3<u32>,
  @builtin(num_workgroups) blocks: vec3<u32>,
) {
  column = thread % COLUMNS;
  let row = thread % ROWS;
  let half = thread / ROWS;
  let columns = COLUMNS * ROWS / THREADS;
  // Neighbouring threads begin at different banks.
  let start = half * columns + row / 2u;
  let spills = THREADS == SPILLING_THREADS && thread >= THREADS - COLUMNS;
  let vectors = params.every / VECTOR_BYTES;
  let last = vectors - 1u;
  let folds = (vectors + AHEAD * THREADS - 1u) / (AHEAD * THREADS);
  let stride = blocks.y * blocks.x;
  var number = block.y * blocks.x + block.x;
  // A workgroup without a further segment loads the last one, and does not count it.
  var first = params.start / VECTOR_BYTES + min(number, params.parts - 1u) * vectors;
  var a = data[first + min(last, thread)];
  var b = data[first + min(last, thread + THREADS)];
  while (number < params.parts) {
    let following = number + stride;
    var sums = vec2(0u);
    for (var fold = 0u; fold < folds; fold++) {
      let at = fold * AHEAD * THREADS + thread;
      if (at < vectors) {
        addVector(a, false);
      }
      if (at + THREADS < vectors) {
        addVector(b, spills);
      }
      var next = at + AHEAD * THREADS;
      if (fold + 1u == folds) {
        next = thread;
        first = params.start / VECTOR_BYTES + min(following, params.parts - 1u) * vectors;
      }
      a = data[first + min(last, next)];
      b = data[first + min(last, next + THREADS)];
      workgroupBarrier();
      for (var i = 0u; i < columns; i++) {
        sums = plus(sums, atomicExchange(&table[row][(start + i) % COLUMNS], 0u));
      }
      if (half == 0u) {
        sums = plus(sums, atomicExchange(&spill[row], 0u));
      } else if (fold + 1u == folds) {
        halves[row] = sums;
      }
      workgroupBarrier();
    }
    if (half == 0u) {
      if (THREADS > ROWS) {
        sums += halves[row];
      }
      rows[(params.firstRow + number) * ROWS + row] =
        vec4(sums.x & 0xffffu, sums.y & 0xffffu, sums.x >> 16u, sums.y >> 16u);
    }
    number = following;
  }
}
