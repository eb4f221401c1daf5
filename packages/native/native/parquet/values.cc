#include "values.h"

#include "delta.h"

namespace polybin {
namespace {

/** Reads the bytes of numbers: whole ones, or all first bytes, then all second ones, and so on. */
bool readBytes(Cursor &cursor, PageEncoding encoding, size_t count, size_t size, uint8_t *to) {
  if (encoding == PageEncoding::deltas) {
    if (size == 8) return readDeltas(cursor, count, reinterpret_cast<uint64_t *>(to));
    return size == 4 && readDeltas(cursor, count, reinterpret_cast<uint32_t *>(to));
  }
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
  // Plain ones are read a few at a time, all others together.
  const size_t most = encoding == PageEncoding::plain ? std::min(UNPACKED, count) : count;
  std::vector<int32_t> words(most);
  for (size_t done = 0; done < count; done += most) {
    const size_t step = std::min(most, count - done);
    if (!readBytes(cursor, encoding, step, sizeof words[0], reinterpret_cast<uint8_t *>(words.data()))) return false;
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

constexpr int64_t JULIAN_1970 = 2440588, DAY_NS = 86400000000000;
constexpr size_t INT96_BYTES = 12;

/** Reads the nanoseconds of a day and a Julian day as nanoseconds since 1970. @returns whether 64 bits hold them */
bool readTimes(Cursor &cursor, PageEncoding encoding, size_t count, uint8_t *to) {
  if (encoding != PageEncoding::plain || count > cursor.rest() / INT96_BYTES) return false;
  for (size_t i = 0; i < count; i++, cursor.at += INT96_BYTES) {
    int64_t nanoseconds, time;
    uint32_t day;
    std::memcpy(&nanoseconds, cursor.at, sizeof nanoseconds);
    std::memcpy(&day, cursor.at + sizeof nanoseconds, sizeof day);
    if (__builtin_mul_overflow(int64_t{day} - JULIAN_1970, DAY_NS, &time) || __builtin_add_overflow(time, nanoseconds, &time)) return false;
    std::memcpy(to + i * sizeof time, &time, sizeof time);
  }
  return true;
}

/** Reads integers of bytes, the highest first. @returns whether they fit 64 bits */
bool readDecimals(Cursor &cursor, const ValuesOf &of, size_t count, uint8_t *to) {
  const size_t width = of.width;
  if (of.encoding != PageEncoding::plain || width == 0 || count > cursor.rest() / width) return false;
  for (size_t i = 0; i < count; i++, cursor.at += width) {
    const uint8_t sign = (cursor.at[0] & 0x80) != 0 ? 0xff : 0;
    uint64_t value = sign == 0 ? 0 : ~uint64_t{0};
    // Those before the last eight only repeat the sign.
    size_t k = 0;
    for (; k + 8 < width; k++) {
      if (cursor.at[k] != sign) return false;
    }
    if (k > 0 && ((cursor.at[k] ^ sign) & 0x80) != 0) return false;
    for (; k < width; k++) value = (value << 8) | cursor.at[k];
    std::memcpy(to + i * sizeof value, &value, sizeof value);
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

bool readValues(Cursor &cursor, const ValuesOf &of, size_t count, uint8_t *to) {
  const auto [layout, encoding, width] = of;
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
    case Layout::decimal:
      return readDecimals(cursor, of, count, to);
    case Layout::int96:
      return readTimes(cursor, encoding, count, to);
    case Layout::text:
      break;
  }
  return false;
}

namespace {

/** Puts the number of a text where value `i` lies. @returns whether there is room for the text */
bool put(TextCodes &texts, const Text &text, size_t i, uint8_t *to) {
  if (texts.texts().size() + text.size() > limits::PARQUET_TEXT_BYTES) return false;
  const uint32_t code = texts.code(text);
  std::memcpy(to + i * sizeof code, &code, sizeof code);
  return true;
}

bool readPlainTexts(Cursor &cursor, size_t count, TextCodes &texts, uint8_t *to) {
  const uint8_t *const floor = cursor.at;
  for (size_t i = 0; i < count; i++) {
    uint32_t length;
    if (cursor.rest() < sizeof length) return false;
    std::memcpy(&length, cursor.at, sizeof length);
    cursor.at += sizeof length;
    if (length > cursor.rest() || !put(texts, {cursor.at, cursor.at + length, floor}, i, to)) return false;
    cursor.at += length;
  }
  return true;
}

/** Reads texts behind all of their lengths. */
bool readTextsBehindLengths(Cursor &cursor, size_t count, TextCodes &texts, uint8_t *to) {
  std::vector<uint32_t> lengths(count);
  if (!readDeltas(cursor, count, lengths.data())) return false;
  const uint8_t *const floor = cursor.at;
  for (size_t i = 0; i < count; i++) {
    if (lengths[i] > cursor.rest() || !put(texts, {cursor.at, cursor.at + lengths[i], floor}, i, to)) return false;
    cursor.at += lengths[i];
  }
  return true;
}

/** Reads texts that begin as the one before. */
bool readPrefixedTexts(Cursor &cursor, size_t count, TextCodes &texts, uint8_t *to) {
  std::vector<uint32_t> shared(count), own(count);
  if (!readDeltas(cursor, count, shared.data()) || !readDeltas(cursor, count, own.data())) return false;
  std::vector<uint8_t> text;
  for (size_t i = 0; i < count; i++) {
    if (shared[i] > text.size() || own[i] > cursor.rest() || size_t{shared[i]} + own[i] > limits::PARQUET_TEXT_BYTES) return false;
    text.resize(shared[i]);
    text.insert(text.end(), cursor.at, cursor.at + own[i]);
    cursor.at += own[i];
    if (!put(texts, {text.data(), text.data() + text.size(), text.data()}, i, to)) return false;
  }
  return true;
}

}  // namespace

bool readTexts(Cursor &cursor, PageEncoding encoding, size_t count, TextCodes &texts, uint8_t *to) {
  switch (encoding) {
    case PageEncoding::plain:
      return readPlainTexts(cursor, count, texts, to);
    case PageEncoding::lengths:
      return readTextsBehindLengths(cursor, count, texts, to);
    case PageEncoding::prefixes:
      return readPrefixedTexts(cursor, count, texts, to);
    default:
      return false;
  }
}

}  // namespace polybin
