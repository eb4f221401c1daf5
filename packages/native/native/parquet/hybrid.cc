#include "hybrid.h"

namespace polybin {

bool readRun(Cursor &cursor, uint32_t width, size_t most, Run &run) {
  uint64_t header = 0;
  for (uint32_t shift = 0;; shift += 7) {
    if (shift >= 35 || cursor.at == cursor.end) return false;
    const uint8_t byte = *cursor.at++;
    header |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) break;
  }
  const uint64_t length = header >> 1;
  if (length == 0) return false;
  if ((header & 1) != 0) {
    run.count = static_cast<size_t>(std::min<uint64_t>(8 * length, most));
    run.packed = cursor.at;
    if ((run.count * width + 7) / 8 > cursor.rest()) return false;
    cursor.at += std::min<uint64_t>(length * width, cursor.rest());
    return true;
  }
  run.value = 0;
  for (uint32_t shift = 0; shift < width; shift += 8) {
    if (cursor.at == cursor.end) return false;
    run.value |= static_cast<uint64_t>(*cursor.at++) << shift;
  }
  run.packed = nullptr;
  run.count = static_cast<size_t>(std::min<uint64_t>(length, most));
  return true;
}

bool readBits(Cursor &cursor, size_t count, uint8_t *bits) {
  for (size_t done = 0; done < count;) {
    Run run;
    if (!readRun(cursor, 1, count - done, run)) return false;
    if (run.packed != nullptr) {
      copyBits(bits, done, run.packed, 0, run.count);
    } else {
      if (run.value > 1) return false;
      if (run.value == 1) setBits(bits, done, run.count);
    }
    done += run.count;
  }
  return true;
}

bool readLevelBits(Cursor &cursor, uint32_t level, size_t count, uint8_t *bits) {
  if (level == 1) return readBits(cursor, count, bits);
  uint32_t width = 0;
  while ((level >> width) != 0) width++;
  return readIndices(cursor, width, count, size_t{level} + 1, [&](size_t at, size_t step, const uint32_t *levels, uint32_t all) {
    if (levels == nullptr) {
      if (all == level) setBits(bits, at, step);
      return;
    }
    for (size_t i = 0; i < step; i++) bits[(at + i) / 8] |= static_cast<uint8_t>((levels[i] == level ? 1U : 0U) << ((at + i) % 8));
  });
}

bool readFlags(Cursor &cursor, size_t count, uint8_t *to) {
  for (size_t done = 0; done < count;) {
    Run run;
    if (!readRun(cursor, 1, count - done, run)) return false;
    if (run.packed != nullptr) {
      for (size_t i = 0; i < run.count; i++) to[done + i] = isSet(run.packed, i);
    } else {
      if (run.value > 1) return false;
      std::memset(to + done, static_cast<int>(run.value), run.count);
    }
    done += run.count;
  }
  return true;
}

void unpack(const uint8_t *from, const uint8_t *end, size_t first, size_t count, uint32_t width, uint32_t *to) {
  const uint64_t mask = (uint64_t{1} << width) - 1;
  const auto room = static_cast<size_t>(end - from);
  size_t bit = first * width;
  size_t i = 0;
  for (; i < count && bit / 8 + 8 <= room; i++, bit += width) {
    uint64_t word;
    std::memcpy(&word, from + bit / 8, 8);
    to[i] = static_cast<uint32_t>((word >> (bit & 7)) & mask);
  }
  for (; i < count; i++, bit += width) {
    uint64_t word = 0;
    std::memcpy(&word, from + bit / 8, std::min<size_t>(8, room - bit / 8));
    to[i] = static_cast<uint32_t>((word >> (bit & 7)) & mask);
  }
}

}  // namespace polybin
