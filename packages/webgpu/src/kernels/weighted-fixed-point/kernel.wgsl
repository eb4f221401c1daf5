// weighted-fixed-point (polybin's own): integer weights, and a replica of the tables for each bank of workgroup memory.
// No two lanes that run together meet, whatever the data.
//
//   workgroup memory            R = replicas, a power of two; P = planes, the words of a cell
//     for each feature          u32 table[bins of a pass][P * R]: plane p, lane l at [bin][p * R + l mod R]
//     P = 1                     sum
//     P = 2, packed             count and the sum's upper bits, sum
//     P = 2, 3                  sum, square; with counts: count, sum, square
//     wide                      count (if requested), sum, its upper word, square, its upper word
//
// With two planes of 16 replicas, the first words of a bin use the lower 16 banks and its second words the upper ones.
// Half of the lanes begin with the first plane and half with the second, so each addition of a warp touches every bank
// once.
//
// Packed: a document adds 1 to the lower 14 bits of the first word and weight >> 18 above them. The sum of these, times
// 2^18, is less than 2^32 below the true sum. The second word has the lower 32 bits of the true sum, so two words hold
// 50 bits. Sums of 32 and of 50 bits are flushed before they can overflow. They go to 64 bits in registers if there are
// enough threads for the rows, otherwise to the totals. Counters of 32 bits do not overflow, because a launch has fewer
// than 2^32 documents. Wide sums have two words; the addition to the lower one shows whether it wrapped.
//
// Bound: for each value one workgroup atomic per number; packed values take two.

override ROWS: u32;
override PACKED: bool;
// For packed cells: the bits of the counter, and the shift of the weights next to it.
override COUNT_BITS: u32;
override COUNT_SHIFT: u32;
override WIDE: bool;
// Whether there are two planes that half of the lanes add to in reverse order.
override TURNED: bool;
// Threads that add up one row's replicas, and whether its sums stay with them between flushes.
override SHARERS: u32;
override KEEPS: bool;

// Before this text: const PLANES, const REPLICAS. The table has two indices for the reason given in per-lane.
var<workgroup> table: array<array<atomic<u32>, PLANES * REPLICAS>, ROWS>;

var<private> lane: u32;
var<private> isOther: bool;
// For packed cells: documents that were taken from them.
var<private> count: u32;
var<private> keptCount: u32;
var<private> keptSum: Wide;
var<private> keptSquare: Wide;

// The planes of sums and of squares.
fn sumPlane() -> u32 {
  return u32(COUNTS);
}

fn squarePlane() -> u32 {
  return u32(COUNTS) + select(1u, 2u, WIDE);
}

fn prepare(thread: u32) {
  lane = thread % REPLICAS;
  isOther = thread / REPLICAS % 2u == 1u;
}

fn add(feature: u32, bin: u32, weight: u32, square: u32) {
  let row = feature * params.binsPerPass + bin;
  if (PACKED || TURNED) {
    let first = select(select(weight, 1u, COUNTS), upperOf(weight) | 1u, PACKED);
    addPair(row, first, select(square, weight, COUNTS));
    return;
  }
  if (COUNTS) {
    atomicAdd(&table[row][lane], 1u);
  }
  addWord(row, sumPlane() * REPLICAS + lane, weight);
  if (SQUARES) {
    addWord(row, squarePlane() * REPLICAS + lane, square);
  }
}

// Returns what a packed weight adds above the count.
fn upperOf(weight: u32) -> u32 {
  return u32(i32(weight) >> COUNT_SHIFT) << COUNT_BITS;
}

// Adds to both planes of a cell.
fn addPair(row: u32, a: u32, b: u32) {
  let isSecond = TURNED && isOther;
  seen ^= atomicAdd(&table[row][select(lane, REPLICAS + lane, isSecond)], select(a, b, isSecond));
  seen ^= atomicAdd(&table[row][select(REPLICAS + lane, lane, isSecond)], select(b, a, isSecond));
}

fn addWord(row: u32, word: u32, amount: u32) {
  let before = atomicAdd(&table[row][word], amount);
  if (!WIDE) {
    seen ^= before;
    return;
  }
  let isNegative = i32(amount) < 0;
  // The word wrapped, or borrowed. This is rare if all weights have one sign.
  if ((before > ~amount) != isNegative) {
    atomicAdd(&table[row][word + REPLICAS], select(1u, 0xffffffffu, isNegative));
  }
}

// Returns the replica that a sharer of a row reads in its step i. Neighbouring rows begin at different banks.
fn replicaOf(row: u32, turn: u32, i: u32) -> u32 {
  return turn + SHARERS * ((i + row) % (REPLICAS / SHARERS));
}

// Returns a word and clears it.
fn takenFrom(row: u32, word: u32) -> u32 {
  let value = atomicLoad(&table[row][word]);
  atomicStore(&table[row][word], 0u);
  return value;
}

// Returns the sum in a lane's words of a plane.
fn sumIn(row: u32, plane: u32, replica: u32) -> Wide {
  let lower = takenFrom(row, plane * REPLICAS + replica);
  if (WIDE) {
    return Wide(lower, takenFrom(row, (plane + 1u) * REPLICAS + replica));
  }
  if (PACKED) {
    let first = takenFrom(row, replica);
    count += first & ((1u << COUNT_BITS) - 1u);
    let upper = i32(first) >> COUNT_BITS;
    let low = u32(upper) << COUNT_SHIFT;
    return together(Wide(low, u32(upper >> COUNT_BITS)), Wide(lower - low, 0u));
  }
  return widened(lower);
}

// Returns the sum over a sharer's replicas of a row, and clears them.
fn taken(row: u32, turn: u32, plane: u32) -> Wide {
  var sum: Wide;
  for (var i = 0u; i < REPLICAS / SHARERS; i++) {
    sum = together(sum, sumIn(row, plane, replicaOf(row, turn, i)));
  }
  return sum;
}

fn flush(thread: u32) {
  workgroupBarrier();
  for (var at = thread; at < tableRows() * SHARERS; at += THREADS) {
    let row = at / SHARERS;
    count = 0u;
    let sum = taken(row, at % SHARERS, sumPlane());
    var square: Wide;
    if (SQUARES) {
      square = taken(row, at % SHARERS, squarePlane());
    }
    if (KEEPS) {
      keptCount += count;
      keptSum = together(keptSum, sum);
      keptSquare = together(keptSquare, square);
    } else {
      addAll(row, count, sum, square);
    }
  }
  workgroupBarrier();
}

fn addAll(row: u32, number: u32, sum: Wide, square: Wide) {
  if (PACKED) {
    addCount(row, number);
  }
  addSum(row, 0u, sum);
  if (SQUARES) {
    addSum(row, 1u, square);
  }
}

fn finish(thread: u32) {
  flush(thread);
  for (var at = thread; at < tableRows() * SHARERS; at += THREADS) {
    let row = at / SHARERS;
    if (KEEPS) {
      addAll(row, keptCount, keptSum, keptSquare);
    }
    if (COUNTS && !PACKED) {
      var number = 0u;
      for (var i = 0u; i < REPLICAS / SHARERS; i++) {
        number += atomicLoad(&table[row][replicaOf(row, at % SHARERS, i)]);
      }
      addCount(row, number);
    }
  }
}
