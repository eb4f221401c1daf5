#include "snappy.h"

#include "copy.h"

namespace polybin {
namespace {

/** A number of some bytes, the lowest first. */
size_t numberAt(const uint8_t *from, size_t bytes) {
  size_t number = 0;
  for (size_t i = 0; i < bytes; i++) number |= static_cast<size_t>(from[i]) << (8 * i);
  return number;
}

}  // namespace

bool readSnappy(const uint8_t *from, size_t bytes, uint8_t *to, size_t size) {
  const uint8_t *const end = from + bytes;
  uint64_t stated = 0;
  for (uint32_t shift = 0;; shift += 7) {
    if (from == end || shift >= 35) return false;
    stated |= static_cast<uint64_t>(*from & 0x7f) << shift;
    if (*from++ < 0x80) break;
  }
  if (stated != size) return false;
  size_t done = 0;
  while (from < end) {
    const uint8_t tag = *from++;
    const auto rest = static_cast<size_t>(end - from);
    if ((tag & 3) == 0) {
      size_t length = tag >> 2;
      if (length >= 60) {
        const size_t more = length - 59;
        if (more > rest) return false;
        length = numberAt(from, more);
        from += more;
      }
      length++;
      const auto have = static_cast<size_t>(end - from);
      if (length > have || length > size - done) return false;
      if (length <= WIDE && have >= WIDE && size - done >= WIDE) std::memcpy(to + done, from, WIDE);
      else std::memcpy(to + done, from, length);
      from += length;
      done += length;
      continue;
    }
    const size_t more = (tag & 3) == 3 ? 4 : tag & 3;
    if (more > rest) return false;
    size_t offset = numberAt(from, more), length = (tag >> 2) + size_t{1};
    from += more;
    if ((tag & 3) == 1) {
      offset |= static_cast<size_t>(tag >> 5) << 8;
      length = ((tag >> 2) & 7) + size_t{4};
    }
    if (offset == 0 || offset > done || length > size - done) return false;
    copyBack(to + done, offset, length, size - done);
    done += length;
  }
  return done == size;
}

}  // namespace polybin
