// Several tables that neighbouring samples use in turn, so that equal neighbours do not wait for one another's store.
//
//   rows     0 1 2 3 4 5 6 7 8 …     tables    [table][row]     table = sample mod tables
//
// bytes.cc counts raw bytes in the same way.
//
// Bound: the load, addition and store of a counter.
// Source: polybin.
#include "kernels/bytes.h"
#include "kernels/tally.h"

namespace polybin {
namespace {

template <uint32_t Tables>
void countRows(const Shape &of, const uint32_t *rows, size_t n, uint32_t *tables) {
  uint32_t *table[Tables];
  for (uint32_t k = 0; k < Tables; k++) table[k] = tables + static_cast<size_t>(k) * of.stride;
  size_t i = 0;
  for (; i + Tables <= n; i += Tables) {
#pragma GCC unroll 8
    for (uint32_t k = 0; k < Tables; k++) table[k][rows[i + k]]++;
  }
  for (; i < n; i++) table[0][rows[i]]++;
}

void count(const Shape &of, const uint32_t *rows, size_t n, uint32_t *tables) {
  if (of.tables == 8) countRows<8>(of, rows, n, tables);
  else if (of.tables == 4) countRows<4>(of, rows, n, tables);
  else if (of.tables == 2) countRows<2>(of, rows, n, tables);
  else countRows<1>(of, rows, n, tables);
}

void bytes(const Shape &, const uint8_t *bytes, size_t n, uint32_t *tables) {
  countPixels({1, 1}, bytes, n, tables);
}

}  // namespace

Tally perLaneTally() { return {false, count, bytes, sumTables, countPixels, pixelWords, sumPixels}; }

}  // namespace polybin
