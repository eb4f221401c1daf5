// How a block adds its sums of cells up, for plans without partial tables: with one atomic per cell, even if the sum is 0.
// A kernel sets `ownBlock` first, and clears `isFirst` after it has added all cells once.

var<private> ownBlock: u32;
var<private> isFirst: bool = true;

// Adds a sum of a cell. A cell past the pass's is not counted.
fn addSum(cell: u32, sum: u32) {
  if (cell < params.cells) {
    atomicAdd(&counts[params.to + cell], sum);
  }
}
