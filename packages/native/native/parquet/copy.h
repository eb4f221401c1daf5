// Copies of bytes that a page has already, which Snappy and LZ4 share.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace polybin {

/** Bytes that a short copy may write at once, if there is room for them. */
constexpr size_t WIDE = 16;

/** Copies bytes from `offset` before `to`, which may overlap those that it writes. Nothing from `room` on is written. */
inline void copyBack(uint8_t *to, size_t offset, size_t length, size_t room) {
  const uint8_t *from = to - offset;
  if (offset >= WIDE && room >= length + WIDE) {
    for (size_t i = 0; i < length; i += WIDE) std::memcpy(to + i, from + i, WIDE);
    return;
  }
  if (offset >= 8 && room >= length + 8) {
    for (size_t i = 0; i < length; i += 8) std::memcpy(to + i, from + i, 8);
    return;
  }
  for (size_t i = 0; i < length; i++) to[i] = from[i];
}

}  // namespace polybin
