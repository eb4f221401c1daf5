#include "tally.h"

#include <cstring>

namespace polybin {

void sumTables(const Shape &of, uint32_t *tables, double *counts) {
  for (uint32_t table = 0; table < of.tables; table++) {
    uint32_t *const from = tables + static_cast<size_t>(table) * of.stride;
    for (uint32_t row = 0; row < of.rows; row++) counts[row] += from[row];
    std::memset(from, 0, of.rows * sizeof(uint32_t));
  }
}

}  // namespace polybin
