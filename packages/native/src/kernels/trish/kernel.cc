// One thread takes the part of a block of 64 lanes. Each lane has its own histogram in byte counters. Words of four codes
// go to the lanes in turn, and all counters are summed before one could pass 255.
//
//   counters   [64 rows: code >> 2][64 lanes][4 bytes: code & 3]   16 KiB
//   table      [row]                                               32 bits, before the counters
//
// Bound: about seven instructions per code, plus the row sums. The data makes hardly any difference.
// Source: Brown & Snoeyink, "Modestly Faster Histogram Computations on GPUs", sections 5.1 to 5.5. This kernel omits the
// staggered start of the row sums, which avoids bank conflicts that a CPU does not have.
#include <cstring>

#include "kernels/tally.h"

namespace polybin {
namespace {

constexpr uint32_t LANES = 64, WORD = 4, ROWS = 64, CODES = 256;
/** Words of a lane whose codes cannot fill a byte counter. */
constexpr uint32_t WORDS_MOST = 63;

/** Adds every row to the four codes that it counts, and clears it. */
void sumRows(const Shape &of, uint32_t *counters, uint32_t *table) {
  for (uint32_t row = 0; row < ROWS; row++) {
    uint32_t *const from = counters + static_cast<size_t>(row) * LANES;
    uint32_t sums[WORD] = {};
    if (of.pairs) {
      uint32_t even = 0, odd = 0;
      for (uint32_t lane = 0; lane < LANES; lane++) {
        even += from[lane] & 0x00ff00ffU;
        odd += from[lane] >> 8 & 0x00ff00ffU;
      }
      sums[0] = even & 0xffff;
      sums[1] = odd & 0xffff;
      sums[2] = even >> 16;
      sums[3] = odd >> 16;
    } else {
      for (uint32_t lane = 0; lane < LANES; lane++) {
        for (uint32_t k = 0; k < WORD; k++) sums[k] += from[lane] >> (8 * k) & 0xff;
      }
    }
    for (uint32_t k = 0; k < WORD; k++) table[row * WORD + k] += sums[k];
    std::memset(from, 0, LANES * sizeof(uint32_t));
  }
}

/** Counts codes from `table` on. */
void countCodes(const Shape &of, const uint8_t *codes, size_t n, uint32_t *counters, uint32_t *table) {
  auto *const bytes = reinterpret_cast<uint8_t *>(counters);
  uint32_t counted = 0;
  for (size_t from = 0; from < n;) {
    if (counted + of.words > WORDS_MOST) {
      sumRows(of, counters, table);
      counted = 0;
    }
    for (uint32_t word = 0; word < of.words && from < n; word++, counted++) {
      for (uint32_t lane = 0; lane < LANES && from < n; lane++) {
        for (uint32_t k = 0; k < WORD && from < n; k++, from++) {
          const uint32_t code = codes[from];
          bytes[((code >> 2) * LANES + lane) * WORD + (code & 3)]++;
        }
      }
    }
  }
  if (counted > 0) sumRows(of, counters, table);
}

uint32_t *countersOf(const Shape &of, uint32_t *table) { return table + of.stride - LANES * ROWS; }

void bytes(const Shape &of, const uint8_t *bytes, size_t n, uint32_t *table) {
  countCodes(of, bytes, n, countersOf(of, table), table);
}

/** Rows of bins are codes of a byte. Those of flow are few, and counted in the table. */
void rows(const Shape &of, const uint32_t *rows, size_t n, uint32_t *table) {
  uint8_t codes[CODES];
  const uint32_t bins = of.rows - 3;
  for (size_t from = 0; from < n;) {
    uint32_t found = 0;
    for (; from < n && found < CODES; from++) {
      const uint32_t row = rows[from];
      if (row == 0 || row > bins) table[row]++;
      else codes[found++] = static_cast<uint8_t>(row - 1);
    }
    countCodes(of, codes, found, countersOf(of, table), table + 1);
  }
}

}  // namespace

Tally trishTally() { return {false, rows, bytes, sumTables, nullptr, nullptr, nullptr}; }

}  // namespace polybin
