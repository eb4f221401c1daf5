// Passes over the values of JSON, and checks them. The text must end with a line feed, which no value holds, and TAIL bytes
// behind it must be readable.
//
// Source: RFC 8259.
#pragma once
#include "block.h"

namespace polybin::json {

/** Objects and arrays in one another. JavaScript reads deeper ones. */
constexpr int MOST_DEPTH = 64;

enum class Kind { text,
                  number,
                  truth,
                  null,
                  nested };

/** Where a value is read, and what was found. */
struct Cursor {
  const uint8_t *at;
  /** Not 0: some bytes are not ASCII. */
  uint32_t high = 0;
};

inline void skipSpace(Cursor &of) {
  while (*of.at == ' ' || *of.at == '\t' || *of.at == '\r') of.at++;
}

inline bool isHex(uint8_t byte) { return byte - '0' < 10U || (byte | 0x20) - 'a' < 6U; }

/** Passes over an escape, from its backslash on. */
inline bool skipEscape(Cursor &of) {
  of.at++;
  switch (*of.at) {
    case '"':
    case '\\':
    case '/':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't':
      of.at++;
      return true;
    case 'u':
      if (!isHex(of.at[1]) || !isHex(of.at[2]) || !isHex(of.at[3]) || !isHex(of.at[4])) return false;
      of.at += 5;
      return true;
    default:
      return false;
  }
}

/** Passes over a text, from the byte after its first quotation mark to its last one. */
inline bool skipText(Cursor &of, bool &hasEscape) {
  for (;;) {
    const Block block(of.at);
    of.high |= block.high();
    const int end = block.textEnd();
    of.at += end;
    if (end == Block::BYTES) continue;
    if (*of.at == '"') return true;
    hasEscape = true;
    // A control character is no escape.
    if (*of.at != '\\' || !skipEscape(of)) return false;
  }
}

inline bool isDigit(uint8_t byte) { return byte - '0' < 10U; }

inline bool skipDigits(Cursor &of) {
  if (!isDigit(*of.at)) return false;
  do of.at++;
  while (isDigit(*of.at));
  return true;
}

inline bool skipNumber(Cursor &of) {
  if (*of.at == '-') of.at++;
  if (*of.at == '0') of.at++;
  else if (!skipDigits(of)) return false;
  if (*of.at == '.') {
    of.at++;
    if (!skipDigits(of)) return false;
  }
  if ((*of.at | 0x20) == 'e') {
    of.at++;
    if (*of.at == '+' || *of.at == '-') of.at++;
    return skipDigits(of);
  }
  return true;
}

inline bool skipWord(Cursor &of, const char *word) {
  for (; *word != 0; word++, of.at++) {
    if (*of.at != static_cast<uint8_t>(*word)) return false;
  }
  return true;
}

inline bool skipValue(Cursor &, Kind &, bool &hasEscape, int depth);

/** Passes over the name of a field of an object that nobody reads, and the colon. */
inline bool skipName(Cursor &of) {
  bool hasEscape = false;
  if (*of.at++ != '"' || !skipText(of, hasEscape)) return false;
  of.at++;
  skipSpace(of);
  return *of.at++ == ':';
}

/** Passes over an object or an array, from its first byte on. */
inline bool skipNested(Cursor &of, int depth) {
  if (depth > MOST_DEPTH) return false;
  const bool isObject = *of.at++ == '{';
  const uint8_t close = isObject ? '}' : ']';
  skipSpace(of);
  if (*of.at == close) {
    of.at++;
    return true;
  }
  for (;;) {
    skipSpace(of);
    Kind kind;
    bool hasEscape = false;
    if (isObject && !skipName(of)) return false;
    skipSpace(of);
    if (!skipValue(of, kind, hasEscape, depth)) return false;
    skipSpace(of);
    const uint8_t next = *of.at++;
    if (next == close) return true;
    if (next != ',') return false;
  }
}

/** Passes over a value. @param hasEscape whether it is a text with escapes */
inline bool skipValue(Cursor &of, Kind &kind, bool &hasEscape, int depth) {
  switch (*of.at) {
    case '"':
      kind = Kind::text;
      of.at++;
      if (!skipText(of, hasEscape)) return false;
      of.at++;
      return true;
    case '{':
    case '[':
      kind = Kind::nested;
      return skipNested(of, depth + 1);
    case 't':
      kind = Kind::truth;
      return skipWord(of, "true");
    case 'f':
      kind = Kind::truth;
      return skipWord(of, "false");
    case 'n':
      kind = Kind::null;
      return skipWord(of, "null");
    default:
      kind = Kind::number;
      return skipNumber(of);
  }
}

}  // namespace polybin::json
