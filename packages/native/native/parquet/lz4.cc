#include "lz4.h"

#include "copy.h"

namespace polybin {
namespace {

/** The shortest match, without which lengths are stored. */
constexpr size_t MIN_MATCH = 4;
/** A length of four bits that goes on in the next bytes. */
constexpr size_t LONG = 15;

/** Adds the further bytes of a length. All are 255, except the last. @returns whether they end */
bool readLength(const uint8_t *&from, const uint8_t *end, size_t &length) {
  if (length != LONG) return true;
  for (;;) {
    if (from == end) return false;
    const uint8_t byte = *from++;
    length += byte;
    if (byte != 255) return true;
  }
}

}  // namespace

bool readLz4(const uint8_t *from, size_t bytes, uint8_t *to, size_t size) {
  const uint8_t *const end = from + bytes;
  size_t done = 0;
  while (from < end) {
    const uint8_t token = *from++;
    size_t literals = token >> 4, match = token & LONG;
    if (!readLength(from, end, literals)) return false;
    const auto have = static_cast<size_t>(end - from);
    if (literals > have || literals > size - done) return false;
    if (literals <= WIDE && have >= WIDE && size - done >= WIDE) std::memcpy(to + done, from, WIDE);
    else std::memcpy(to + done, from, literals);
    from += literals;
    done += literals;
    // The last sequence has no match.
    if (from == end) break;
    if (end - from < 2) return false;
    const size_t offset = from[0] | (size_t{from[1]} << 8);
    from += 2;
    if (!readLength(from, end, match)) return false;
    match += MIN_MATCH;
    if (offset == 0 || offset > done || match > size - done) return false;
    copyBack(to + done, offset, match, size - done);
    done += match;
  }
  return done == size;
}

}  // namespace polybin
