#include "values.h"

namespace polybin {
namespace {

/** Reads the bytes of numbers: whole ones, or all first bytes, then all second ones, and so on. */
bool readBytes(Cursor &cursor, PageEncoding encoding, size_t count, size_t size, uint8_t *to) {
  if (count * size > cursor.rest()) return false;
  if (encoding == PageEncoding::plain) {
    std::memcpy(to, cursor.at, count * size);
  } else {
    if (encoding != PageEncoding::split) return false;
    for (size_t b = 0; b < size; b++) {
      const uint8_t *const from = cursor.at + b * count;
      for (size_t i = 0; i < count; i++) to[i * size + b] = from[i];
    }
  }
  cursor.at += count * size;
  return true;
}

/** Reads integers of 32 bits into those of another size. @returns whether they fit */
template <typename T>
bool readIntegers(Cursor &cursor, PageEncoding encoding, size_t count, uint8_t *to) {
  int32_t words[UNPACKED];
  if (encoding != PageEncoding::plain) return false;
  for (size_t done = 0; done < count; done += UNPACKED) {
    const size_t step = std::min(UNPACKED, count - done);
    if (!readBytes(cursor, encoding, step, sizeof *words, reinterpret_cast<uint8_t *>(words))) return false;
    bool fits = true;
    for (size_t i = 0; i < step; i++) {
      const auto value = static_cast<T>(words[i]);
      fits &= static_cast<int64_t>(value) == words[i];
      std::memcpy(to + (done + i) * sizeof value, &value, sizeof value);
    }
    if (!fits) return false;
  }
  return true;
}

bool readBooleans(Cursor &cursor, PageEncoding encoding, size_t count, uint8_t *to) {
  if (encoding == PageEncoding::plain) {
    if ((count + 7) / 8 > cursor.rest()) return false;
    for (size_t i = 0; i < count; i++) to[i] = isSet(cursor.at, i);
    cursor.at += (count + 7) / 8;
    return true;
  }
  // The length of the runs precedes them.
  if (encoding != PageEncoding::runs || cursor.rest() < 4) return false;
  cursor.at += 4;
  return readFlags(cursor, count, to);
}

}  // namespace

bool readValues(Cursor &cursor, Layout layout, PageEncoding encoding, size_t count, uint8_t *to) {
  switch (layout) {
    case Layout::bytes8:
    case Layout::bytes4:
      return readBytes(cursor, encoding, count, bytesOf(layout), to);
    case Layout::boolean:
      return readBooleans(cursor, encoding, count, to);
    case Layout::i8:
      return readIntegers<int8_t>(cursor, encoding, count, to);
    case Layout::u8:
      return readIntegers<uint8_t>(cursor, encoding, count, to);
    case Layout::i16:
      return readIntegers<int16_t>(cursor, encoding, count, to);
    case Layout::u16:
      return readIntegers<uint16_t>(cursor, encoding, count, to);
    case Layout::widened:
      return readIntegers<int64_t>(cursor, encoding, count, to);
    case Layout::text:
      break;
  }
  return false;
}

bool readTexts(Cursor &cursor, PageEncoding encoding, size_t count, TextCodes &texts, uint8_t *to) {
  if (encoding != PageEncoding::plain) return false;
  const uint8_t *const floor = cursor.at;
  for (size_t i = 0; i < count; i++) {
    uint32_t length;
    if (cursor.rest() < sizeof length) return false;
    std::memcpy(&length, cursor.at, sizeof length);
    cursor.at += sizeof length;
    if (length > cursor.rest() || texts.texts().size() + length > limits::PARQUET_TEXT_BYTES) return false;
    const uint32_t code = texts.code({cursor.at, cursor.at + length, floor});
    cursor.at += length;
    std::memcpy(to + i * sizeof code, &code, sizeof code);
  }
  return true;
}

}  // namespace polybin
