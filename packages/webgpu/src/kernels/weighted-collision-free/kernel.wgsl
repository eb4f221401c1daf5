// weighted-collision-free: one histogram per thread, so that no two threads meet and no atomics are needed.
//
//   workgroup memory, word = [row][thread]
//     counters    row = bin / 2: 16 bits per bin, the even one in the lower half
//     sums        row = bin: 32 bits, an integer or a float
//     squares     row = bin
//
// A thread reads several documents before it adds the first (N_unroll: IN_FLIGHT units). Then the block sums all
// histograms by rows. If there are more threads than rows, several threads share a row, each from another place on.
//
// Nothing overflows: a thread's tables are flushed after 2,048 integers or 16,384 floats, which 16-bit counters can
// hold.
//
// Bound: workgroup memory, which is enough for few threads only; and each addition waits for its load.
// Source: Xu et al., 4.2 Collision-Free Method, Figure 1, Table 5.

override ROWS: u32;
// Threads that add up one row together.
override SHARERS: u32;

var<workgroup> table: array<array<u32, THREADS>, ROWS>;

var<private> lane: u32;

fn sumRow(bin: u32) -> u32 {
  return select(0u, (params.binsPerPass + 1u) / 2u, COUNTS) + bin;
}

fn squareRow(bin: u32) -> u32 {
  return sumRow(params.binsPerPass + bin);
}

fn prepare(thread: u32) {
  lane = thread;
}

fn add(feature: u32, bin: u32, weight: u32, square: u32) {
  if (COUNTS) {
    table[bin / 2u][lane] += 1u << (bin % 2u * 16u);
  }
  addWord(sumRow(bin), weight);
  if (SQUARES) {
    addWord(squareRow(bin), square);
  }
}

fn addWord(row: u32, amount: u32) {
  let before = table[row][lane];
  if (FLOATS) {
    table[row][lane] = bitcast<u32>(bitcast<f32>(before) + bitcast<f32>(amount));
  } else {
    table[row][lane] = before + amount;
  }
}

// Returns the word of a row that a sharer reads in its step i, and clears it.
fn taken(row: u32, turn: u32, i: u32) -> u32 {
  let column = turn + SHARERS * ((i + row) % (THREADS / SHARERS));
  let word = table[row][column];
  table[row][column] = 0u;
  return word;
}

fn takeCounts(pair: u32, turn: u32) {
  var even = 0u;
  var odd = 0u;
  for (var i = 0u; i < THREADS / SHARERS; i++) {
    let both = taken(pair, turn, i);
    even += both & 0xffffu;
    odd += both >> 16u;
  }
  addCount(2u * pair, even);
  addCount(2u * pair + 1u, odd);
}

fn takeSums(row: u32, turn: u32, bin: u32, kind: u32) {
  if (FLOATS) {
    var sum = 0f;
    for (var i = 0u; i < THREADS / SHARERS; i++) {
      sum += bitcast<f32>(taken(row, turn, i));
    }
    addFloat(bin, kind, sum);
  } else {
    var sum: Wide;
    for (var i = 0u; i < THREADS / SHARERS; i++) {
      sum = together(sum, widened(taken(row, turn, i)));
    }
    addSum(bin, kind, sum);
  }
}

fn flush(thread: u32) {
  workgroupBarrier();
  for (var at = thread; at < params.binsPerPass * SHARERS; at += THREADS) {
    let bin = at / SHARERS;
    let turn = at % SHARERS;
    if (COUNTS && bin % 2u == 0u) {
      takeCounts(bin / 2u, turn);
    }
    takeSums(sumRow(bin), turn, bin, 0u);
    if (SQUARES) {
      takeSums(squareRow(bin), turn, bin, 1u);
    }
  }
  workgroupBarrier();
}

fn finish(thread: u32) {
  flush(thread);
}
