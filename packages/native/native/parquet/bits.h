// One bit per row, from the lowest bit of each byte on.
#pragma once
#include <bit>
#include <cstdint>
#include <cstring>

namespace polybin {

inline bool isSet(const uint8_t *bits, size_t at) { return ((bits[at >> 3] >> (at & 7)) & 1) != 0; }

/** Up to eight bits from a bit on. Only bytes that have some of them are read. */
inline uint8_t bitsAt(const uint8_t *bits, size_t at, size_t count) {
  const size_t shift = at & 7;
  uint32_t found = bits[at >> 3] >> shift;
  if (shift + count > 8) found |= static_cast<uint32_t>(bits[(at >> 3) + 1]) << (8 - shift);
  return static_cast<uint8_t>(found & ((1U << count) - 1));
}

/** Sets some bits, which are 0. */
inline void setBits(uint8_t *bits, size_t at, size_t count) {
  for (; count > 0 && (at & 7) != 0; at++, count--) bits[at >> 3] |= static_cast<uint8_t>(1U << (at & 7));
  std::memset(bits + (at >> 3), 0xff, count >> 3);
  if ((count & 7) != 0) bits[(at + count) >> 3] |= static_cast<uint8_t>((1U << (count & 7)) - 1);
}

/** Copies some bits to bits that are 0. */
inline void copyBits(uint8_t *bits, size_t to, const uint8_t *source, size_t from, size_t count) {
  const size_t first = (8 - (to & 7)) & 7;
  const size_t head = first < count ? first : count;
  if (head > 0) bits[to >> 3] |= static_cast<uint8_t>(bitsAt(source, from, head) << (to & 7));
  to += head;
  from += head;
  count -= head;
  if ((from & 7) == 0) std::memcpy(bits + (to >> 3), source + (from >> 3), count >> 3);
  else {
    for (size_t i = 0; i < count >> 3; i++) bits[(to >> 3) + i] = bitsAt(source, from + 8 * i, 8);
  }
  const size_t whole = count & ~size_t{7}, rest = count & 7;
  if (rest > 0) bits[(to + whole) >> 3] |= bitsAt(source, from + whole, rest);
}

/** Counts the bits that are 1. */
inline size_t countBits(const uint8_t *bits, size_t at, size_t count) {
  size_t sum = 0;
  for (; count > 0 && (at & 7) != 0; at++, count--) sum += isSet(bits, at);
  const uint8_t *from = bits + (at >> 3);
  for (; count >= 64; count -= 64, from += 8) {
    uint64_t word;
    std::memcpy(&word, from, 8);
    sum += static_cast<size_t>(std::popcount(word));
  }
  for (; count >= 8; count -= 8, from++) sum += static_cast<size_t>(std::popcount(*from));
  if (count > 0) sum += static_cast<size_t>(std::popcount(static_cast<uint8_t>(*from & ((1U << count) - 1))));
  return sum;
}

}  // namespace polybin
