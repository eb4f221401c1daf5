#include "delta.h"

namespace polybin {
namespace {

/** Values of a miniblock are multiples of this number. */
constexpr uint64_t MINIBLOCK_MULTIPLE = 32;

/** Reads an unsigned integer of up to `bits` bits, 7 per byte. @returns whether it is whole */
bool readVarint(Cursor &cursor, uint32_t bits, uint64_t &number) {
  number = 0;
  for (uint32_t shift = 0; shift < bits; shift += 7) {
    if (cursor.at == cursor.end) return false;
    const uint8_t byte = *cursor.at++;
    number |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

bool readZigZag(Cursor &cursor, uint64_t &number) {
  if (!readVarint(cursor, 64, number)) return false;
  number = (number >> 1) ^ (~(number & 1) + 1);
  return true;
}

/** Adds packed differences of up to 64 bits to `last`, one after the other. Bytes from `end` on are not read. */
template <typename T>
void addUp(const uint8_t *from, const uint8_t *end, size_t count, uint32_t width, T least, T &last, T *to) {
  const uint64_t mask = width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
  const auto room = static_cast<size_t>(end - from);
  size_t bit = 0;
  for (size_t i = 0; i < count; i++, bit += width) {
    const size_t byte = bit / 8, shift = bit % 8;
    uint64_t word = 0;
    if (byte + 8 <= room) std::memcpy(&word, from + byte, 8);
    else if (byte < room) std::memcpy(&word, from + byte, room - byte);
    word >>= shift;
    if (shift + width > 64) word |= static_cast<uint64_t>(from[byte + 8]) << (64 - shift);
    last = static_cast<T>(last + least + static_cast<T>(word & mask));
    to[i] = last;
  }
}

}  // namespace

template <typename T>
bool readDeltas(Cursor &cursor, size_t count, T *to) {
  uint64_t block = 0, miniblocks = 0, stated = 0, first = 0;
  if (!readVarint(cursor, 35, block) || !readVarint(cursor, 35, miniblocks) || !readVarint(cursor, 35, stated)) return false;
  if (stated != count || miniblocks == 0 || block == 0 || block % miniblocks != 0) return false;
  const uint64_t size = block / miniblocks;
  if (size % MINIBLOCK_MULTIPLE != 0 || !readZigZag(cursor, first)) return false;
  if (count == 0) return true;
  T last = static_cast<T>(first);
  to[0] = last;
  for (size_t done = 1; done < count;) {
    uint64_t least = 0;
    if (!readZigZag(cursor, least) || miniblocks > cursor.rest()) return false;
    const uint8_t *const widths = cursor.at;
    cursor.at += miniblocks;
    for (uint64_t m = 0; m < miniblocks && done < count; m++) {
      const uint32_t width = widths[m];
      if (width > 8 * sizeof(T)) return false;
      const size_t values = std::min<size_t>(size, count - done);
      if ((values * width + 7) / 8 > cursor.rest()) return false;
      addUp<T>(cursor.at, cursor.end, values, width, static_cast<T>(least), last, to + done);
      done += values;
      // The last one may end with its values.
      cursor.at += std::min<uint64_t>(size / 8 * width, cursor.rest());
    }
  }
  return true;
}

template bool readDeltas<uint32_t>(Cursor &, size_t, uint32_t *);
template bool readDeltas<uint64_t>(Cursor &, size_t, uint64_t *);

}  // namespace polybin
