#include "tally.h"

#include <algorithm>
#include <cstring>

namespace polybin {

void sumTables(const Shape &of, const Span &span, uint32_t *tables, double *counts) {
  constexpr uint32_t ROWS = 16;
  uint32_t *const begin = tables + span.first;
  for (uint32_t first = 0; first < span.count; first += ROWS) {
    const uint32_t rows = std::min(ROWS, span.count - first);
    // Whole numbers are added first, because their conversion takes longer than an addition.
    int64_t sums[ROWS] = {};
    for (uint32_t table = 0; table < of.tables; table++) {
      const uint32_t *const from = begin + static_cast<size_t>(table) * of.stride + first;
      // A loop of a known length becomes vectors.
      if (rows == ROWS) {
        for (uint32_t row = 0; row < ROWS; row++) sums[row] += from[row];
      } else {
        for (uint32_t row = 0; row < rows; row++) sums[row] += from[row];
      }
    }
    for (uint32_t row = 0; row < rows; row++) counts[first + row] += static_cast<double>(sums[row]);
  }
  for (uint32_t table = 0; table < of.tables; table++) {
    std::memset(begin + static_cast<size_t>(table) * of.stride, 0, span.count * sizeof(uint32_t));
  }
}

}  // namespace polybin
