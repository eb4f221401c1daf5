// How a block adds its sums of cells up, for plans with partial tables. merge.wgsl adds the tables to the counts.
//
//   scratch   word = [block][cell of the pass]
//
// A cell of a table always belongs to the same thread of its block. The first sum overwrites what an earlier dispatch
// left. A kernel sets `ownBlock` first, and clears `isFirst` after it has added all cells once.

var<private> ownBlock: u32;
var<private> isFirst: bool = true;

// Adds a sum of a cell. A cell past the pass's is not counted.
fn addSum(cell: u32, sum: u32) {
  if (cell >= params.cells) {
    return;
  }
  let at = ownBlock * params.cells + cell;
  if (isFirst) {
    scratch[at] = sum;
  } else {
    scratch[at] += sum;
  }
}
