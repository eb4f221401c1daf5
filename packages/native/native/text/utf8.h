// Whether bytes are UTF-8. Most are ASCII, which is passed over eight bytes at a time.
//
// Source: the Unicode Standard, table 3-7, well-formed byte sequences.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace polybin {

inline bool isUtf8(const uint8_t *bytes, size_t size) {
  const auto isNext = [&](size_t at, uint8_t least = 0x80, uint8_t most = 0xbf) {
    return at < size && bytes[at] >= least && bytes[at] <= most;
  };
  for (size_t at = 0; at < size;) {
    uint64_t eight;
    if (at + sizeof eight <= size) {
      std::memcpy(&eight, bytes + at, sizeof eight);
      if ((eight & 0x8080808080808080) == 0) {
        at += sizeof eight;
        continue;
      }
    }
    const uint8_t first = bytes[at];
    if (first < 0x80) {
      at++;
    } else if (first >= 0xc2 && first <= 0xdf) {
      if (!isNext(at + 1)) return false;
      at += 2;
    } else if (first >= 0xe0 && first <= 0xef) {
      // Neither longer than needed nor a surrogate.
      if (!isNext(at + 1, first == 0xe0 ? 0xa0 : 0x80, first == 0xed ? 0x9f : 0xbf) || !isNext(at + 2)) return false;
      at += 3;
    } else if (first >= 0xf0 && first <= 0xf4) {
      if (!isNext(at + 1, first == 0xf0 ? 0x90 : 0x80, first == 0xf4 ? 0x8f : 0xbf) || !isNext(at + 2) ||
          !isNext(at + 3)) {
        return false;
      }
      at += 4;
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace polybin
