// Equal values of a column, counted where they are read.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace polybin {

/** Values of 1, 2, 4 or 8 bytes, one a row. */
struct Rows {
  uint8_t *values;
  size_t bytes, rows;
};

/**
 * Moves the different values to the front, in the order in which they occur, and counts them by their bits. It counts
 * nothing if they are more than half of the rows, since counts would take as much memory.
 *
 * @param missing a bit is 1 for a row without a value. Those of the last rows may be left out
 */
void countValues(Rows, const std::vector<uint8_t> &missing, std::vector<uint32_t> &counts);

}  // namespace polybin
