// Bytes in tables of their own for neighbours, and, where that is faster, most of them as pairs: two neighbours are one
// number of 16 bits, and one increment counts both.
//
//   bytes    a b a b a b a b …   16 at a time, or 24 of three channels
//   tables   [byte mod 8, 12 or 16][256 values, a gap]     a channel has every n-th of them
//   pairs    [65536]             the low byte is the one before; their sums over a byte are the other's counts
//
//   one channel       p p p p p p p p p p p p . . . .     p: a byte of a pair
//   three of four     r g . -  r g . -  r g . -  …        the first two neighbours that are counted
//
// Tables are no multiple of 4 KiB apart: a processor takes a load for a store's neighbour by the low 12 bits of their
// addresses, and would wait. The counters of pairs fill a second-level cache. So a processor counts some pairs while it
// waits for others, and single bytes meanwhile.
//
// Runs of equal pixels are not counted one by one: each counter would wait for the one before. Their length is added.
//
// Bound: one store of a counter a cycle; pairs halve the stores.
// Source: polybin.
#include "kernels/bytes.h"

#include <cstring>

namespace polybin {
namespace {

constexpr uint32_t VALUES = 256, LANE = VALUES + 16, PAIRS = VALUES * VALUES;

/** Bytes of a step. */
constexpr uint32_t stepOf(uint32_t interleaved) { return interleaved == 3 ? 24 : 16; }

/** Bytes of a round: each has its own table. */
constexpr uint32_t roundOf(uint32_t interleaved) {
  if (interleaved == 1) return 8;
  return interleaved == 3 ? 12 : 16;
}

/** Bytes that are fetched ahead. */
constexpr size_t AHEAD = 1024;

constexpr uint32_t NONE = 0xff;

/** The first of two neighbouring channels that are counted, or none. One channel is its own neighbour. */
constexpr uint32_t firstOfPair(uint32_t interleaved, uint32_t mask) {
  if (interleaved == 1) return 0;
  for (uint32_t channel = 0; channel + 1 < interleaved; channel++) {
    if ((mask >> channel & 3) == 3) return channel;
  }
  return NONE;
}

/** Whether the byte at this place of a step and its successor are counted as a pair. */
constexpr bool startsPair(uint32_t interleaved, uint32_t mask, uint32_t at) {
  if (interleaved == 1) return at % 2 == 0 && at < 12;
  // Of two channels, single bytes take every fourth pixel.
  if (interleaved == 2 && at >= 12) return false;
  return at % interleaved == firstOfPair(interleaved, mask);
}

/** Bytes before which a loop looks for equal pixels: whole steps, and whole pixels, of any number of channels. */
constexpr size_t PERIOD = 48;

uint64_t eightAt(const uint8_t *bytes) {
  uint64_t eight;
  std::memcpy(&eight, bytes, sizeof eight);
  return eight;
}

/** Bytes of equal pixels from here on, whole periods. */
template <uint32_t Interleaved>
size_t equalBytes(const uint8_t *bytes, size_t n) {
  size_t equal = 0;
  while (equal + 8 + Interleaved <= n && eightAt(bytes + equal) == eightAt(bytes + equal + Interleaved)) equal += 8;
  return equal - equal % PERIOD;
}

template <uint32_t Interleaved, uint32_t Mask, bool Pairs>
void countStep(const uint8_t *bytes, uint32_t *tables) {
  constexpr uint32_t ROUND = roundOf(Interleaved), STEP = stepOf(Interleaved);
  [[maybe_unused]] uint32_t *const pairs = tables + ROUND * LANE;
#pragma GCC unroll 3
  for (uint32_t word = 0; word < STEP / 8; word++) {
    const uint64_t eight = eightAt(bytes + 8 * word);
#pragma GCC unroll 8
    for (uint32_t k = 0; k < 8; k++) {
      const uint32_t at = 8 * word + k;
      if (Pairs && at > 0 && startsPair(Interleaved, Mask, at - 1)) continue;
      if (Pairs && startsPair(Interleaved, Mask, at)) {
        uint16_t pair;
        std::memcpy(&pair, bytes + at, 2);
        pairs[pair]++;
      } else if (Mask >> (at % Interleaved) & 1) {
        tables[(at % ROUND) * LANE + ((eight >> (8 * k)) & 255)]++;
      }
    }
  }
}

template <uint32_t Interleaved, uint32_t Mask, bool Pairs>
void countBytes(const uint8_t *bytes, size_t pixels, uint32_t *tables) {
  constexpr uint32_t ROUND = roundOf(Interleaved), STEP = stepOf(Interleaved);
  const size_t n = pixels * Interleaved;
  size_t i = 0;
  while (i + STEP <= n) {
    if (i + PERIOD + 8 <= n && eightAt(bytes + i) == eightAt(bytes + i + PERIOD)) {
      const size_t equal = equalBytes<Interleaved>(bytes + i, n - i);
      for (uint32_t channel = 0; channel < Interleaved; channel++) {
        if (Mask >> channel & 1) tables[channel * LANE + bytes[i + channel]] += static_cast<uint32_t>(equal / Interleaved);
      }
      i += equal;
      if (equal > 0) continue;
    }
    // Counters of pairs wait for memory too, so the bytes have to be there before.
    __builtin_prefetch(bytes + i + AHEAD);
    for (const size_t end = i + PERIOD <= n ? i + PERIOD : i + STEP; i < end; i += STEP) countStep<Interleaved, Mask, Pairs>(bytes + i, tables);
  }
  for (; i < n; i++) {
    if (Mask >> (i % Interleaved) & 1) tables[(i % ROUND) * LANE + bytes[i]]++;
  }
}

using Count = void (*)(const uint8_t *, size_t, uint32_t *);

/** By interleaved channels, then by mask. */
template <bool P>
constexpr Count COUNTS[4][16] = {
    {nullptr, countBytes<1, 1, P>},
    {nullptr, countBytes<2, 1, P>, countBytes<2, 2, P>, countBytes<2, 3, P>},
    {nullptr, countBytes<3, 1, P>, countBytes<3, 2, P>, countBytes<3, 3, P>, countBytes<3, 4, P>, countBytes<3, 5, P>,
     countBytes<3, 6, P>, countBytes<3, 7, P>},
    {nullptr, countBytes<4, 1, P>, countBytes<4, 2, P>, countBytes<4, 3, P>, countBytes<4, 4, P>, countBytes<4, 5, P>,
     countBytes<4, 6, P>, countBytes<4, 7, P>, countBytes<4, 8, P>, countBytes<4, 9, P>, countBytes<4, 10, P>,
     countBytes<4, 11, P>, countBytes<4, 12, P>, countBytes<4, 13, P>, countBytes<4, 14, P>, countBytes<4, 15, P>},
};

/** Adds the sums of pairs over the other byte to the counts of each, and clears them. */
void sumPairs(uint32_t *pairs, double *low, double *high) {
  uint32_t sums[VALUES] = {};
  for (uint32_t second = 0; second < VALUES; second++) {
    uint32_t *const row = pairs + static_cast<size_t>(second) * VALUES;
    uint32_t sum = 0;
    for (uint32_t first = 0; first < VALUES; first++) {
      sum += row[first];
      sums[first] += row[first];
      row[first] = 0;
    }
    high[second] += sum;
  }
  for (uint32_t first = 0; first < VALUES; first++) low[first] += sums[first];
}

/** Adds the tables of one channel, all at a time, to its counts, and clears them. The caller's bound is on their sum. */
template <uint32_t Interleaved>
void sumLanes(uint32_t *first, double *counts) {
  constexpr uint32_t TABLES = roundOf(Interleaved) / Interleaved;
  for (uint32_t value = 0; value < VALUES; value++) {
    uint32_t sum = 0;
#pragma GCC unroll 8
    for (uint32_t k = 0; k < TABLES; k++) sum += first[k * Interleaved * LANE + value];
    counts[value] += sum;
  }
  for (uint32_t k = 0; k < TABLES; k++) std::memset(first + k * Interleaved * LANE, 0, VALUES * sizeof(uint32_t));
}

using SumLanes = void (*)(uint32_t *, double *);

/** By interleaved channels. */
constexpr SumLanes SUMS[4] = {sumLanes<1>, sumLanes<2>, sumLanes<3>, sumLanes<4>};

}  // namespace

bool hasPairs(uint32_t interleaved, uint32_t mask) { return firstOfPair(interleaved, mask) != NONE; }

void countPixels(const Channels &of, const uint8_t *bytes, size_t pixels, uint32_t *tables) {
  const auto &counts = of.pairs ? COUNTS<true> : COUNTS<false>;
  counts[of.interleaved - 1][of.mask](bytes, pixels, tables);
}

uint32_t pixelWords(const Channels &of) { return roundOf(of.interleaved) * LANE + (of.pairs ? PAIRS : 0); }

void sumPixels(const Channels &of, uint32_t *tables, double *counts) {
  double *low = nullptr, *high = nullptr;
  const uint32_t first = firstOfPair(of.interleaved, of.mask);
  for (uint32_t channel = 0; channel < of.interleaved; channel++) {
    if (!(of.mask >> channel & 1)) continue;
    SUMS[of.interleaved - 1](tables + channel * LANE, counts);
    if (channel == first) low = high = counts;
    if (channel == first + 1) high = counts;
    counts += VALUES;
  }
  if (of.pairs) sumPairs(tables + roundOf(of.interleaved) * LANE, low, high);
}

}  // namespace polybin
