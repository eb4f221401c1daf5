#include "unescaped.h"

namespace polybin::json {
namespace {

uint32_t hexAt(const uint8_t *at) {
  uint32_t unit = 0;
  for (int i = 0; i < 4; i++) {
    const uint8_t byte = at[i];
    unit = unit << 4 | (byte <= '9' ? byte - '0' : (byte | 0x20U) - 'a' + 10U);
  }
  return unit;
}

void append(uint32_t code, std::vector<uint8_t> &to) {
  const auto put = [&](uint32_t byte) { to.push_back(static_cast<uint8_t>(byte)); };
  const auto rest = [&](int shift) { put(0x80 | (code >> shift & 0x3f)); };
  if (code < 0x80) return put(code);
  if (code < 0x800) {
    put(0xc0 | code >> 6);
  } else {
    if (code < 0x10000) {
      put(0xe0 | code >> 12);
    } else {
      put(0xf0 | code >> 18);
      rest(12);
    }
    rest(6);
  }
  rest(0);
}

uint8_t plainOf(uint8_t escape) {
  switch (escape) {
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return escape;
  }
}

bool isLeading(uint32_t unit) { return unit >= 0xd800 && unit < 0xdc00; }
bool isTrailing(uint32_t unit) { return unit >= 0xdc00 && unit < 0xe000; }

}  // namespace

bool unescape(const Text &raw, std::vector<uint8_t> &to) {
  to.clear();
  for (const uint8_t *at = raw.at; at != raw.end;) {
    if (*at != '\\') {
      to.push_back(*at++);
      continue;
    }
    if (at[1] != 'u') {
      to.push_back(plainOf(at[1]));
      at += 2;
      continue;
    }
    uint32_t code = hexAt(at + 2);
    at += 6;
    if (isTrailing(code)) return false;
    if (isLeading(code)) {
      if (raw.end - at < 6 || at[0] != '\\' || at[1] != 'u' || !isTrailing(hexAt(at + 2))) return false;
      code = 0x10000 + ((code - 0xd800) << 10) + (hexAt(at + 2) - 0xdc00);
      at += 6;
    }
    append(code, to);
  }
  return true;
}

}  // namespace polybin::json
