// Numbers, dates and times of a text, compared with those of the C library.
#include <ctime>
#include <string>

#include "input.h"
#include "text/numbers.h"

namespace polybin::fuzz {
namespace {

size_t digitsAt(const std::string &text, size_t at) {
  const size_t end = text.find_first_not_of("0123456789", at);
  return (end == std::string::npos ? text.size() : end) - at;
}

size_t signAt(const std::string &text, size_t at) { return at < text.size() && (text[at] == '-' || text[at] == '+') ? 1 : 0; }

bool isWhole(const std::string &text) {
  const size_t sign = signAt(text, 0), digits = digitsAt(text, sign);
  return digits > 0 && sign + digits == text.size();
}

bool isDecimal(const std::string &text) {
  size_t at = signAt(text, 0), digits = digitsAt(text, at);
  at += digits;
  if (at < text.size() && text[at] == '.') {
    const size_t behind = digitsAt(text, at + 1);
    at += 1 + behind;
    digits += behind;
  }
  if (digits == 0) return false;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    at += 1 + signAt(text, at + 1);
    const size_t power = digitsAt(text, at);
    if (power == 0) return false;
    at += power;
  }
  return at == text.size();
}

void checkDouble(const Text &given, const std::string &text) {
  double found;
  if (!readDouble(given, found)) {
    // JavaScript reads every rare text, and is slow.
    expect(!isDecimal(text) || text.size() > 15 || text.find_first_of("eE") != std::string::npos, "a plain number to be read");
    return;
  }
  expect(isDecimal(text), "a text that is no number to be left");
  const double right = std::strtod(text.c_str(), nullptr);
  expect(std::memcmp(&found, &right, sizeof found) == 0, "the nearest double");
}

void checkWhole(const Text &given, const std::string &text) {
  Whole found;
  if (!readWhole(given, found)) {
    expect(!isWhole(text) || text.size() > 19, "a plain integer to be read");
    return;
  }
  expect(isWhole(text), "a text that is no integer to be left");
  expect(found.isNegative == (text[0] == '-'), "the sign");
  expect(found.size == std::strtoull(text.c_str() + signAt(text, 0), nullptr, 10), "the integer");
}

/** Writes a time of day in UTC as its text. */
std::string written(time_t seconds, const char *format) {
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char to[64];
  std::snprintf(to, sizeof to, format, parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
  return to;
}

void checkDate(const Text &given, const std::string &text) {
  int32_t days;
  if (text.size() != DATE_BYTES || !readDate(given.at, days)) return;
  expect(written(time_t{days} * 86400, "%04d-%02d-%02d") == text, "the day");
}

void checkTime(const Text &given, const std::string &text, const Clock &clock) {
  int64_t ticks;
  if (!readTime(given, clock, ticks)) return;
  int64_t perSecond = 1;
  for (int i = 0; i < clock.digits; i++) perSecond *= 10;
  int64_t fraction = ticks % perSecond;
  if (fraction < 0) fraction += perSecond;
  std::string right = written(static_cast<time_t>((ticks - fraction) / perSecond), "%04d-%02d-%02d %02d:%02d:%02d");
  right[10] = text[10];
  const bool hasSeconds = text.size() > 16 && text[16] == ':';
  if (!hasSeconds) {
    expect(right.substr(16) == ":00", "no seconds");
    right.resize(16);
  } else if (text.size() > 19 && text[19] == '.') {
    const size_t digits = digitsAt(text, 20);
    std::string all = std::to_string(fraction);
    all.insert(0, static_cast<size_t>(clock.digits) - all.size(), '0');
    expect(digits <= all.size() && all.find_first_not_of('0', digits) == std::string::npos, "the digits of the fraction");
    right += "." + all.substr(0, digits);
  } else {
    expect(fraction == 0, "no fraction");
  }
  if (clock.hasZone) right += "Z";
  expect(right == text, "the time");
}

void check(Input &input) {
  const Clock clock{static_cast<int>(input.number(3)) * 3, input.flag()};
  // A text has others before it.
  const size_t before = input.number(20);
  const std::vector<uint8_t> all = input.rest();
  const uint8_t *const floor = all.data(), *const end = floor + all.size();
  const Text given{floor + std::min(before, all.size()), end, floor};
  const std::string text(given.at, end);
  if (text.find('\0') != std::string::npos) return;
  checkDouble(given, text);
  checkWhole(given, text);
  checkDate(given, text);
  checkTime(given, text, clock);
}

}  // namespace
}  // namespace polybin::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  polybin::fuzz::Input input(bytes, size);
  polybin::fuzz::check(input);
  return 0;
}
