// weighted-fixed-point (ours): integer weights, and a replica of the tables for each bank of workgroup memory, so that
// no two lanes that run together meet, whatever the data.
//
//   workgroup memory            R = replicas, a power of two
//     for each feature          u32 table[bins of a pass][planes * R]: plane p, lane l at [bin][p * R + l mod R]
//     planes                    count, sum, square                                   sums of 32 bits
//                               count, sum, its upper word, square, its upper word   sums of 64 bits
//                               without what is not asked for
//
// With two planes of 16 replicas a bin's counts take the lower 16 banks and its sums the upper ones. So half of the
// lanes add first their count and then their sum, and half the other way round: each addition of a warp touches every
// bank once.
//
// Sums of 32 bits are flushed before they can overflow, into 64 bits in registers where there are threads enough for
// the rows, else into the totals. Counts do not overflow: a launch has fewer than 2^32 documents. Sums of 64 bits have
// two words; the addition to the lower one tells whether it wrapped.
//
// Bound: a workgroup atomic a value for each of its count, weight and square.

override ROWS: u32;
override WIDE: bool;
// Two planes, which half of the lanes add to the other way round.
override TURNED: bool;
// Threads that add one row's replicas up; and do its sums stay with them between flushes?
override SHARERS: u32;
override KEEPS: bool;

// Before this text: const PLANES, const REPLICAS. Two indices: see per-lane.wgsl.
var<workgroup> table: array<array<atomic<u32>, PLANES * REPLICAS>, ROWS>;

var<private> lane: u32;
var<private> isOther: bool;
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
  if (TURNED) {
    let a = select(weight, 1u, COUNTS);
    let b = select(square, weight, COUNTS);
    seen ^= atomicAdd(&table[row][select(lane, REPLICAS + lane, isOther)], select(a, b, isOther));
    seen ^= atomicAdd(&table[row][select(REPLICAS + lane, lane, isOther)], select(b, a, isOther));
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

fn addWord(row: u32, word: u32, amount: u32) {
  let before = atomicAdd(&table[row][word], amount);
  if (!WIDE) {
    seen ^= before;
    return;
  }
  let isNegative = i32(amount) < 0;
  // Wrapped, or borrowed: rare where weights have one sign.
  if ((before > ~amount) != isNegative) {
    atomicAdd(&table[row][word + REPLICAS], select(1u, 0xffffffffu, isNegative));
  }
}

// The replica that a sharer of a row reads in its step i: neighbouring rows begin at other banks.
fn replicaOf(row: u32, turn: u32, i: u32) -> u32 {
  return turn + SHARERS * ((i + row) % (REPLICAS / SHARERS));
}

// The sum over a sharer's replicas of a row, which begin anew.
fn taken(row: u32, turn: u32, plane: u32) -> Wide {
  var sum: Wide;
  for (var i = 0u; i < REPLICAS / SHARERS; i++) {
    let word = plane * REPLICAS + replicaOf(row, turn, i);
    let lower = atomicLoad(&table[row][word]);
    atomicStore(&table[row][word], 0u);
    if (WIDE) {
      sum = together(sum, Wide(lower, atomicLoad(&table[row][word + REPLICAS])));
    } else {
      sum = together(sum, widened(lower));
    }
  }
  return sum;
}

fn flush(thread: u32) {
  workgroupBarrier();
  for (var at = thread; at < tableRows() * SHARERS; at += THREADS) {
    let row = at / SHARERS;
    let sum = taken(row, at % SHARERS, sumPlane());
    if (KEEPS) {
      keptSum = together(keptSum, sum);
    } else {
      addSum(row, 0u, sum);
    }
    if (SQUARES) {
      let square = taken(row, at % SHARERS, squarePlane());
      if (KEEPS) {
        keptSquare = together(keptSquare, square);
      } else {
        addSum(row, 1u, square);
      }
    }
  }
  workgroupBarrier();
}

fn finish(thread: u32) {
  flush(thread);
  for (var at = thread; at < tableRows() * SHARERS; at += THREADS) {
    let row = at / SHARERS;
    if (COUNTS) {
      var count = 0u;
      for (var i = 0u; i < REPLICAS / SHARERS; i++) {
        count += atomicLoad(&table[row][replicaOf(row, at % SHARERS, i)]);
      }
      addCount(row, count);
    }
    if (KEEPS) {
      addSum(row, 0u, keptSum);
      if (SQUARES) {
        addSum(row, 1u, keptSquare);
      }
    }
  }
}
