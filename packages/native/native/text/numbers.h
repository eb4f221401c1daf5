// Reads numbers, dates and times from bytes, exactly or not at all: a text that is not of the plain forms below, or
// whose double is not surely the nearest one, is left to JavaScript.
//
//   integers   -12        at most 19 digits
//   doubles    -1.25e-3   at most 19 digits
//   dates      2026-11-27
//   times      2026-11-27 23:59:59.123456Z
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace polybin {

/** Powers of ten that a double holds. */
constexpr double TENS[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
                           1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
constexpr int MOST_TENS = 22;
constexpr uint64_t EXACT = uint64_t{1} << 53;
/** Digits of a number that 64 bits hold. */
constexpr int MOST_DIGITS = 19;

/** Text from `at` to `end`. The memory from `floor` on may be read. */
struct Text {
  const uint8_t *at, *end, *floor;
  size_t size() const { return static_cast<size_t>(end - at); }
};

inline uint32_t digitOf(uint8_t byte) { return static_cast<uint32_t>(byte) - '0'; }

constexpr uint64_t ZEROS = 0x3030303030303030;

inline uint64_t wordAt(const uint8_t *at) {
  uint64_t word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

/** Reads a word of eight digits as a number. Returns false if one of the bytes is none. */
inline bool eightDigits(uint64_t word, uint64_t &number) {
  // In a digit, the upper half of the byte is 3, and adding 6 does not change it.
  if (((word & 0xf0f0f0f0f0f0f0f0) | (((word + 0x0606060606060606) & 0xf0f0f0f0f0f0f0f0) >> 4)) != 0x3333333333333333) {
    return false;
  }
  word = (word & 0x0f0f0f0f0f0f0f0f) * (10 * 256 + 1) >> 8;
  word = (word & 0x00ff00ff00ff00ff) * (100 * 65536 + 1) >> 16;
  number = (word & 0x0000ffff0000ffff) * (10000 * 4294967296 + 1) >> 32;
  return true;
}

/** Returns the eight bytes before `end`, with zeros as digits in place of those before a text of at most eight. */
inline uint64_t padded(const uint8_t *end, size_t size) {
  const int pad = 64 - 8 * static_cast<int>(size);
  const uint64_t before = pad == 64 ? ~uint64_t{0} : (uint64_t{1} << pad) - 1;
  return (wordAt(end - 8) & ~before) | (ZEROS & before);
}

/** Takes the first point out of a word, and moves the bytes before it up. Returns the bytes after it, or -1. */
inline int takePoint(uint64_t &word, uint64_t low) {
  const uint64_t differs = word ^ 0x2e2e2e2e2e2e2e2e;
  const uint64_t found = (differs - 0x0101010101010101) & ~differs & 0x8080808080808080;
  if (found == 0) return -1;
  const int at = __builtin_ctzll(found) / 8;
  const uint64_t before = (uint64_t{1} << (8 * at)) - 1;
  word = (word & ~(before << 8 | 0xff)) | (word & before) << 8 | low;
  return 7 - at;
}

/** Bytes of a text that is read as two words. */
constexpr size_t SHORT_BYTES = 16;

/** Reads digits with at most one point among them, without a branch for each. Returns false if the text is something else. */
inline bool readShort(const Text &text, uint64_t &number, int &behind) {
  const size_t size = text.size();
  if (size == 0 || size > SHORT_BYTES || text.end - text.floor < static_cast<ptrdiff_t>(SHORT_BYTES)) return false;
  uint64_t upper;
  if (size <= 8) {
    uint64_t word = padded(text.end, size);
    behind = takePoint(word, '0');
    if (behind < 0) behind = 0;
    else if (size == 1) return false;
    return eightDigits(word, number);
  }
  uint64_t high = wordAt(text.end - 8), low = padded(text.end - 8, size - 8);
  behind = takePoint(high, low >> 56);
  if (behind >= 0) {
    low = low << 8 | '0';
  } else {
    behind = takePoint(low, '0');
    behind = behind < 0 ? 0 : behind + 8;
  }
  if (!eightDigits(low, upper) || !eightDigits(high, number)) return false;
  number += upper * 100000000;
  return true;
}

/** Appends the digits at the start of a text to a number. Returns how many there are. */
inline int readDigits(Text &text, uint64_t &number) {
  const uint8_t *const from = text.at;
  uint64_t eight;
  while (text.size() >= 8 && eightDigits(wordAt(text.at), eight)) {
    number = number * 100000000 + eight;
    text.at += 8;
  }
  for (; text.at != text.end && digitOf(*text.at) < 10; text.at++) number = number * 10 + digitOf(*text.at);
  return static_cast<int>(text.at - from);
}

inline bool readSign(Text &text) {
  if (text.at == text.end || (*text.at != '-' && *text.at != '+')) return false;
  return *text.at++ == '-';
}

/** An integer as its size and sign. */
struct Whole {
  uint64_t size;
  bool isNegative;
};

inline bool readWhole(Text text, Whole &to) {
  to.size = 0;
  to.isNegative = readSign(text);
  const size_t digits = text.size();
  if (digits == 0 || digits > MOST_DIGITS) return false;
  int behind;
  if (readShort(text, to.size, behind)) return behind == 0 && text.end[-1] != '.';
  to.size = 0;
  readDigits(text, to.size);
  return text.at == text.end;
}

/** The double that is nearest to a quotient, whose dividend is above 2^53. */
inline double quotient(uint64_t number, uint64_t by) {
  // The quotient has 64 or 65 bits. Its lowest bit stands for everything below it, which decides between two doubles.
  const int shift = __builtin_clzll(number) + 64 - __builtin_clzll(by);
  const unsigned __int128 dividend = static_cast<unsigned __int128>(number) << shift;
  const unsigned __int128 found = dividend / by;
  const auto rest = static_cast<uint64_t>(dividend != found * by);
  const uint64_t bits = static_cast<uint64_t>(found >> 2) | static_cast<uint64_t>((found & 3) != 0) | rest;
  return __builtin_ldexp(static_cast<double>(bits), 2 - shift);
}

/** A number of the form number * 10^exponent. */
struct Decimal {
  uint64_t number = 0;
  int exponent = 0;
};

/** Reads digits, a point and an exponent. */
inline bool readDecimal(Text text, Decimal &to) {
  const uint8_t *const from = text.at;
  int digits = readDigits(text, to.number);
  if (text.at != text.end && *text.at == '.') {
    text.at++;
    to.exponent = -readDigits(text, to.number);
    digits -= to.exponent;
  }
  if (digits == 0) return false;
  if (digits > MOST_DIGITS) {
    // Zeros at the start are no digits of the number.
    for (const uint8_t *zero = from; zero != text.at && (*zero == '0' || *zero == '.'); zero++) {
      digits -= *zero == '0' ? 1 : 0;
    }
    if (digits > MOST_DIGITS) return false;
  }
  if (text.at == text.end) return true;
  if ((*text.at | 0x20) != 'e') return false;
  text.at++;
  const bool isBelow = readSign(text);
  uint64_t power = 0;
  if (text.size() == 0 || text.size() > 4) return false;
  readDigits(text, power);
  to.exponent += isBelow ? -static_cast<int>(power) : static_cast<int>(power);
  return text.at == text.end;
}

/** Returns whether the nearest double is surely found. */
inline bool nearest(const Decimal &of, double &to) {
  const auto [number, exponent] = of;
  if (number <= EXACT && exponent >= -MOST_TENS && exponent <= MOST_TENS) {
    // Both are exact, so that one operation rounds once.
    to = static_cast<double>(number);
    to = exponent < 0 ? to / TENS[-exponent] : to * TENS[exponent];
    return true;
  }
  if (number == 0 || (number > EXACT && exponent == 0)) {
    to = static_cast<double>(number);
    return true;
  }
  if (number < EXACT || exponent > 0 || exponent < -MOST_DIGITS) return false;
  uint64_t by = 1;
  for (int i = 0; i < -exponent; i++) by *= 10;
  to = quotient(number, by);
  return true;
}

inline bool readDouble(Text text, double &to) {
  const bool isNegative = readSign(text);
  Decimal decimal;
  int behind;
  if (readShort(text, decimal.number, behind)) {
    decimal.exponent = -behind;
  } else {
    decimal.number = 0;
    if (!readDecimal(text, decimal)) return false;
  }
  if (!nearest(decimal, to)) return false;
  if (isNegative) to = -to;
  return true;
}

/** Reads a number of a fixed number of digits. Returns false if one of the bytes is none. */
inline bool fixedDigits(const uint8_t *at, int digits, uint32_t &to) {
  to = 0;
  for (int i = 0; i < digits; i++) {
    if (digitOf(at[i]) > 9) return false;
    to = to * 10 + digitOf(at[i]);
  }
  return true;
}

/** Bytes of a date. */
constexpr size_t DATE_BYTES = 10;

/** Reads the date at the start of a text, as days from 1970-01-01. */
inline bool readDate(const uint8_t *at, int32_t &days) {
  uint32_t year, month, day;
  if (at[4] != '-' || at[7] != '-' || !fixedDigits(at, 4, year) || !fixedDigits(at + 5, 2, month) ||
      !fixedDigits(at + 8, 2, day)) {
    return false;
  }
  const bool isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  constexpr uint8_t DAYS[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  if (month < 1 || month > 12 || day < 1 || day > DAYS[month - 1] + (month == 2 && isLeap ? 1U : 0U)) return false;
  // Years start in March, so that the leap day is the last one.
  const auto y = static_cast<int32_t>(month > 2 ? year : year - 1) + 400;
  const auto m = static_cast<int32_t>((month + 9) % 12);
  const int32_t era = y / 400, yearOfEra = y - era * 400;
  const int32_t dayOfYear = (153 * m + 2) / 5 + static_cast<int32_t>(day) - 1;
  days = era * 146097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719468 - 146097;
  return true;
}

/** How times are stored. */
struct Clock {
  /** Digits of a second's fraction: 0, 3, 6 or 9. */
  int digits;
  /** Whether times end with Z. */
  bool hasZone;
};

/** Reads a time as ticks of 10^-digits seconds from 1970-01-01. */
inline bool readTime(Text text, const Clock &clock, int64_t &ticks) {
  constexpr size_t MINUTES_BYTES = 16;
  if (text.size() < MINUTES_BYTES) return false;
  const uint8_t *at = text.at;
  int32_t days;
  uint32_t hour, minute, second = 0;
  if ((at[10] != ' ' && at[10] != 'T') || at[13] != ':' || !readDate(at, days) || !fixedDigits(at + 11, 2, hour) ||
      !fixedDigits(at + 14, 2, minute) || hour > 23 || minute > 59) {
    return false;
  }
  text.at += MINUTES_BYTES;
  uint64_t fraction = 0;
  int digits = 0;
  if (text.size() >= 3 && *text.at == ':') {
    if (!fixedDigits(text.at + 1, 2, second) || second > 59) return false;
    text.at += 3;
    if (text.at != text.end && *text.at == '.') {
      text.at++;
      if (text.size() > 10) return false;
      digits = readDigits(text, fraction);
      if (digits == 0 || digits > clock.digits) return false;
    }
  }
  const bool isZone = text.at != text.end && *text.at == 'Z';
  if (isZone) text.at++;
  if (text.at != text.end || isZone != clock.hasZone) return false;
  int64_t perSecond = 1;
  for (int i = 0; i < clock.digits; i++) {
    perSecond *= 10;
    if (i >= digits) fraction *= 10;
  }
  const int64_t seconds = int64_t{days} * 86400 + hour * 3600 + minute * 60 + second;
  // The years of nanoseconds in 64 bits end in 2262. JavaScript decides about the others.
  int64_t whole;
  if (__builtin_mul_overflow(seconds, perSecond, &whole)) return false;
  return !__builtin_add_overflow(whole, static_cast<int64_t>(fraction), &ticks);
}

}  // namespace polybin
