// fused: 32-bit counters, in copies as far as workgroup memory goes.
//
//   workgroup memory   u32 table[cells + sink][R]: cell c of lane l at [place of c][l mod R]
//
// Cells that are a power of two apart would share a bank. So the place of a cell is permuted among those that share its
// line of banks, unless the table has gaps that keep them apart. No counter can overflow, because a dispatch reads fewer than 2^32 samples.
//
// Samples that a block does not count go to the sink, one word per bank. A branch around the atomic would cost more.
//
// Bound: one workgroup atomic per sample, and the samples' bytes. Devices merge additions of 1 to the same counter, so
// equal samples take no longer than others.

// Before this text: const REPLICAS. (An inner length cannot be an override.)

// Cells of the table, which are whole lines, and the sink after them.
override TABLE_ROWS: u32;
// The number of cells that share a line of banks, and its logarithm.
override SHARERS: u32;
override LINE_BITS: u32;
// Whether cells are permuted.
override IS_PERMUTED: bool;
// Whether there are samples that a block does not count.
override SKIPS: bool;

var<workgroup> table: array<array<atomic<u32>, REPLICAS>, TABLE_ROWS>;

var<private> lane: u32;
var<private> sink: u32;
var<private> firstCell: u32;
var<private> windowCells: u32;

fn placeOf(cell: u32) -> u32 {
  if (!IS_PERMUTED) {
    return cell;
  }
  return cell ^ ((cell >> LINE_BITS) & (SHARERS - 1u));
}

fn prepareTable(thread: u32, first: u32, cells: u32) {
  lane = thread % REPLICAS;
  sink = TABLE_ROWS - SHARERS + thread / REPLICAS % SHARERS;
  firstCell = first;
  windowCells = cells;
}

fn countIf(kept: bool, cell: u32) {
  let local = cell - firstCell;
  var place = placeOf(local);
  if (SKIPS) {
    place = select(sink, place, kept & (local < windowCells));
  }
  atomicAdd(&table[place][lane], 1u);
}

fn addTable(thread: u32) {
  for (var local = thread; local < windowCells; local += THREADS) {
    var sum = 0u;
    for (var i = 0u; i < REPLICAS; i++) {
      sum += atomicLoad(&table[placeOf(local)][(i + thread) % REPLICAS]);
    }
    if (sum != 0u) {
      atomicAdd(&counts[firstCell + local], sum);
    }
  }
}
