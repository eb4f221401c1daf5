// Several tables that neighbouring samples use in turn, so that equal neighbours do not wait for one another's store.
//
//   rows     0 1 2 3 4 5 6 7 8 …     tables    [table][row]     table = sample mod tables
//
// bytes.cc counts raw bytes in the same way.
//
// Bound: the load, addition and store of a counter.
// Source: polybin.
#include <cstring>

#include "kernels/bytes.h"
#include "kernels/tally.h"

namespace polybin {
namespace {

/** Rows of a step. */
constexpr uint32_t STEP = 8;

/** @param Stride words from one table to the next, which the compiler knows so that all tables have one address. 0: of the shape */
template <uint32_t Tables, uint32_t Stride>
void countRows(const Shape &of, const uint32_t *rows, size_t n, uint32_t *tables) {
  const size_t stride = Stride == 0 ? of.stride : Stride;
  size_t i = 0;
  for (; i + STEP <= n; i += STEP) {
#pragma GCC unroll 4
    for (uint32_t k = 0; k < STEP; k += 2) {
      uint64_t two;
      std::memcpy(&two, rows + i + k, sizeof two);
      tables[k % Tables * stride + static_cast<uint32_t>(two)]++;
      tables[(k + 1) % Tables * stride + (two >> 32)]++;
    }
  }
  for (; i < n; i++) tables[rows[i]]++;
}

/** In one table, of two equal neighbours the second one's store counts both, so that neither waits for the other. */
void countRowsOnce(const uint32_t *rows, size_t n, uint32_t *table) {
  size_t i = 0;
  for (; i + 2 <= n; i += 2) {
    const uint32_t a = rows[i], b = rows[i + 1];
    const uint32_t first = table[a], second = table[b];
    table[a] = first + 1;
    table[b] = second + 1 + static_cast<uint32_t>(a == b);
  }
  if (i < n) table[rows[i]]++;
}

void count(const Shape &of, const uint32_t *rows, size_t n, uint32_t *tables) {
  if (of.tables == 8 && of.stride == STRIDE_8) countRows<8, STRIDE_8>(of, rows, n, tables);
  else if (of.tables == 4 && of.stride == STRIDE_4) countRows<4, STRIDE_4>(of, rows, n, tables);
  else if (of.tables == 4) countRows<4, 0>(of, rows, n, tables);
  else if (of.tables == 2) countRows<2, 0>(of, rows, n, tables);
  else countRowsOnce(rows, n, tables);
}

/** The row of a word is one more than the word, because row 0 is that of underflow. */
template <uint32_t Tables>
void countWords(const Shape &of, const uint8_t *samples, size_t n, uint16_t flip, uint32_t *tables) {
  const uint64_t flips = flip * 0x0001000100010001ULL;
  uint32_t *const first = tables + 1;
  size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    uint64_t four;
    std::memcpy(&four, samples + 2 * i, sizeof four);
    four ^= flips;
#pragma GCC unroll 4
    for (uint32_t k = 0; k < 4; k++) first[size_t{k % Tables} * of.stride + static_cast<uint16_t>(four >> (16 * k))]++;
  }
  for (; i < n; i++) {
    uint16_t word;
    std::memcpy(&word, samples + 2 * i, sizeof word);
    first[word ^ flip]++;
  }
}

void words(const Shape &of, const void *samples, size_t n, uint16_t flip, uint32_t *tables) {
  const auto *const bytes = static_cast<const uint8_t *>(samples);
  if (of.tables >= 2) countWords<2>(of, bytes, n, flip, tables);
  else countWords<1>(of, bytes, n, flip, tables);
}

void bytes(const Shape &, const uint8_t *bytes, size_t n, uint32_t *tables) {
  countPixels({1, 1}, bytes, n, tables);
}

}  // namespace

Tally perLaneTally() { return {false, count, bytes, sumTables, countPixels, pixelWords, sumPixels, words}; }

}  // namespace polybin
