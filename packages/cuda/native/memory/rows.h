// The layout of dense rows with gaps between them. The rows arrive in pieces that may end anywhere.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

namespace polybin {

/** A rectangle: `rows` rows from `row` on, with `width` bytes from `column` on each. */
struct RowPart {
  uint64_t row, column, width, rows;
};

/** Returns the bytes [first, first + bytes) of dense rows: the rest of a row, whole rows, the beginning of another. */
inline std::vector<RowPart> partsOfRows(uint64_t first, uint64_t bytes, uint64_t rowBytes) {
  std::vector<RowPart> parts;
  while (bytes > 0) {
    const uint64_t row = first / rowBytes, column = first % rowBytes;
    const bool isWhole = column == 0 && bytes >= rowBytes;
    const RowPart part = isWhole ? RowPart{row, 0, rowBytes, bytes / rowBytes}
                                 : RowPart{row, column, std::min(bytes, rowBytes - column), 1};
    parts.push_back(part);
    first += part.width * part.rows;
    bytes -= part.width * part.rows;
  }
  return parts;
}

}  // namespace polybin
