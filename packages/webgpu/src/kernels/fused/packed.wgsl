// fused: two 16-bit counters per word of workgroup memory.
//
//   workgroup memory   word w: [ cell 2 w + 1 : 16 | cell 2 w : 16 ], at the place of w
//
// Before a counter could overflow, SPILL of it moves to the counts. The thread whose addition reaches SPILL does that.
// Until then, other threads find a counter of SPILL or more. They take their own addition back and add it to the counts
// instead. So no thread ever has more than one addition of MOST_ADDED samples above SPILL, and a counter stays below
// SPILL + THREADS * MOST_ADDED, which core's plan keeps below 2^16.
//
// Bound: one workgroup atomic per sample, and the samples' bytes.

override SPILL: u32;
// Words of the table, a multiple of 32.
override TABLE_WORDS: u32;
// Whether a block counts only some of the cells.
override WINDOWED: bool;

var<workgroup> table: array<atomic<u32>, TABLE_WORDS>;

var<private> firstCell: u32;
var<private> windowCells: u32;

fn placeOf(word: u32) -> u32 {
  return word ^ (((word >> 5u) ^ (word >> 10u)) & 31u);
}

fn prepareTable(thread: u32, first: u32, cells: u32) {
  firstCell = first;
  windowCells = cells;
}

fn addCell(cell: u32, amount: u32) {
  let local = cell - firstCell;
  if (WINDOWED && local >= windowCells) {
    return;
  }
  let place = placeOf(local >> 1u);
  let shift = (local & 1u) << 4u;
  let before = (atomicAdd(&table[place], amount << shift) >> shift) & 0xffffu;
  if (before + amount >= SPILL) {
    spill(place, shift, cell, select(amount, SPILL, before < SPILL));
  }
}

fn spill(place: u32, shift: u32, cell: u32, amount: u32) {
  atomicSub(&table[place], amount << shift);
  atomicAdd(&counts[cell], amount);
}

fn countCell(cell: u32) {
  addCell(cell, 1u);
}

fn countFour(cells: vec4<u32>) {
  if (all(cells == cells.yzwx)) {
    addCell(cells.x, 4u);
    return;
  }
  addCell(cells.x, 1u);
  addCell(cells.y, 1u);
  addCell(cells.z, 1u);
  addCell(cells.w, 1u);
}

fn addTable(thread: u32) {
  for (var word = thread; word < (windowCells + 1u) / 2u; word += THREADS) {
    let pair = atomicLoad(&table[placeOf(word)]);
    for (var half = 0u; half < 2u; half++) {
      let amount = extractBits(pair, 16u * half, 16u);
      if (amount != 0u) {
        atomicAdd(&counts[firstCell + 2u * word + half], amount);
      }
    }
  }
}
