// Several tables that neighbouring samples use in turn, so that equal neighbours do not wait for one another's store.
//
//   rows     0 1 2 3 4 5 6 7 8 …     tables    [table][row]                        table = sample mod tables
//   bytes    a b a b a b a b a …     tables    [byte mod 16][256 values, a gap]    a channel has every n-th of them
//
// Tables are no multiple of 4 KiB apart: a processor takes a load for a store's neighbour by the low 12 bits of their
// addresses, and would wait.
//
// Bound: the load, addition and store of a counter.
// Source: polybin.
#include <cstring>

#include "kernels/tally.h"

namespace polybin {
namespace {

constexpr uint32_t VALUES = 256, LANE = VALUES + 16;

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

/** Bytes of one round: each has its own table. */
constexpr uint32_t roundOf(uint32_t interleaved) { return interleaved == 1 ? 8 : interleaved == 3 ? 12
                                                                                                  : 16; }

template <uint32_t Interleaved, uint32_t Mask>
void countPixels(const uint8_t *bytes, size_t pixels, uint32_t *tables) {
  constexpr uint32_t ROUND = roundOf(Interleaved), STEP = Interleaved == 3 ? 24 : 16;
  const size_t n = pixels * Interleaved;
  size_t i = 0;
  const size_t end = n - n % STEP;
  for (; i != end; i += STEP) {
#pragma GCC unroll 3
    for (uint32_t word = 0; word < STEP / 8; word++) {
      uint64_t eight;
      std::memcpy(&eight, bytes + i + 8 * word, 8);
#pragma GCC unroll 8
      for (uint32_t k = 0; k < 8; k++) {
        const uint32_t at = 8 * word + k;
        if (Mask >> (at % Interleaved) & 1) tables[(at % ROUND) * LANE + ((eight >> (8 * k)) & 255)]++;
      }
    }
  }
  for (; i < n; i++) {
    if (Mask >> (i % Interleaved) & 1) tables[(i % ROUND) * LANE + bytes[i]]++;
  }
}

using CountPixels = void (*)(const uint8_t *, size_t, uint32_t *);

/** By interleaved channels, then by mask. */
constexpr CountPixels COUNTS[4][16] = {
    {nullptr, countPixels<1, 1>},
    {nullptr, countPixels<2, 1>, countPixels<2, 2>, countPixels<2, 3>},
    {nullptr, countPixels<3, 1>, countPixels<3, 2>, countPixels<3, 3>, countPixels<3, 4>, countPixels<3, 5>,
     countPixels<3, 6>, countPixels<3, 7>},
    {nullptr, countPixels<4, 1>, countPixels<4, 2>, countPixels<4, 3>, countPixels<4, 4>, countPixels<4, 5>,
     countPixels<4, 6>, countPixels<4, 7>, countPixels<4, 8>, countPixels<4, 9>, countPixels<4, 10>,
     countPixels<4, 11>, countPixels<4, 12>, countPixels<4, 13>, countPixels<4, 14>, countPixels<4, 15>},
};

void pixels(const Channels &of, const uint8_t *bytes, size_t pixels, uint32_t *tables) {
  COUNTS[of.interleaved - 1][of.mask](bytes, pixels, tables);
}

uint32_t pixelWords(const Channels &of) { return roundOf(of.interleaved) * LANE; }

void sumPixels(const Channels &of, uint32_t channel, uint32_t *tables, double *counts) {
  uint32_t sums[VALUES] = {};
  // The caller's bound is on the sum of all tables.
  for (uint32_t lane = channel; lane < roundOf(of.interleaved); lane += of.interleaved) {
    uint32_t *const from = tables + static_cast<size_t>(lane) * LANE;
    for (uint32_t value = 0; value < VALUES; value++) sums[value] += from[value];
    std::memset(from, 0, VALUES * sizeof(uint32_t));
  }
  for (uint32_t value = 0; value < VALUES; value++) counts[value] += sums[value];
}

void bytes(const Shape &, const uint8_t *bytes, size_t n, uint32_t *tables) { countPixels<1, 1>(bytes, n, tables); }

}  // namespace

Tally perLaneTally() { return {false, count, bytes, sumTables, pixels, pixelWords, sumPixels}; }

}  // namespace polybin
