#include "read.h"

#include <algorithm>
#include <cstring>

#include "objects.h"
#include "text/utf8.h"
#include "unescaped.h"
#include "values.h"

namespace polybin {
namespace {

using json::Cursor;
using json::Field;
using json::Kind;
using json::Names;
using json::Object;

/** Lines between two looks at whether the columns are still needed. */
constexpr uint32_t STEP = 1024;
/** Digits of an integer that JavaScript writes with the same characters. */
constexpr size_t PLAIN_DIGITS = 15;

class Lines {
 public:
  Lines(const JsonlOf &of, PieceRead &to) : objects_(of, to.columns), to_(to) {}

  /** Bytes behind the last line that must be readable. */
  size_t tail() const { return std::max<size_t>(objects_.longest(), json::Block::BYTES); }
  bool isAscii() const { return high_ == 0; }

  /** Reads lines, of which the last one ends with a line feed. @param done bytes that were read before, of `all` */
  bool read(const uint8_t *bytes, size_t size, size_t done, size_t all, Stopped stopped) {
    floor_ = bytes;
    const uint8_t *const end = bytes + size;
    Cursor at{bytes};
    while (at.at != end) {
      const size_t so = done + static_cast<size_t>(at.at - bytes);
      for (Column &column : to_.columns) column.reserve(STEP, to_.expected(all, so));
      for (uint32_t i = 0; i < STEP && at.at != end; i++) {
        if (!readLine(at)) return false;
      }
      if (stopped != nullptr && *stopped != 0) return false;
    }
    high_ |= at.high;
    return true;
  }

 private:
  /** Reads a line, and passes over its line feed. */
  bool readLine(Cursor &at) {
    json::skipSpace(at);
    if (*at.at == '{') {
      const uint32_t line = to_.rows + 1;
      if (!readObject<true>(at, objects_.line(), line, 0)) return false;
      objects_.addNulls(line);
      to_.rows++;
      json::skipSpace(at);
    }
    return *at.at++ == '\n';
  }

  /** Reads an object from its brace on. @param isLine whether it is a line's, which has no unknown keys */
  template <bool isLine>
  bool readObject(Cursor &at, Object &object, uint32_t line, int depth) {
    object.names.start();
    at.at++;
    json::skipSpace(at);
    if (*at.at == '}') {
      at.at++;
      return true;
    }
    for (;;) {
      json::skipSpace(at);
      if (!readField<isLine>(at, object, line, depth)) return false;
      json::skipSpace(at);
      const uint8_t next = *at.at++;
      if (next == '}') return true;
      if (next != ',') return false;
    }
  }

  template <bool isLine>
  bool readField(Cursor &at, Object &object, uint32_t line, int depth) {
    if (*at.at++ != '"') return false;
    Names &names = object.names;
    uint32_t name = names.expected(at.at);
    if (name == Names::NONE) {
      const uint8_t *const from = at.at;
      bool hasEscape = false;
      if (!json::skipText(at, hasEscape) || hasEscape) return false;
      name = names.find({from, at.at, from});
      if (isLine && name == Names::NONE) return false;
    } else {
      at.at += names.bytes(name);
    }
    at.at++;
    json::skipSpace(at);
    if (*at.at++ != ':') return false;
    json::skipSpace(at);
    const uint8_t *const from = at.at;
    Kind kind;
    bool hasEscape = false;
    if (!isLine && name == Names::NONE) return json::skipValue(at, kind, hasEscape, depth);
    Field &field = object.fields[name];
    // The last one of several counts, which is rare.
    if (field.seen == line) return false;
    field.seen = line;
    names.found(name);
    if (field.inner != nullptr && *from == '{') return readObject<false>(at, *field.inner, line, depth + 1);
    if (!json::skipValue(at, kind, hasEscape, depth)) return false;
    // Only JavaScript says what is wrong.
    if (field.inner != nullptr) return kind == Kind::null;
    return field.column == nullptr || add(*field.column, {from, at.at, floor_}, kind, hasEscape);
  }

  /** Adds a value. Returns false if the column has another type, or if the value is rare. */
  bool add(Column &column, const Text &raw, Kind kind, bool hasEscape) {
    const Stored stored = column.stored();
    switch (kind) {
      case Kind::null:
        column.addNull();
        return true;
      case Kind::text: {
        const Text text{raw.at + 1, raw.end - 1, raw.floor};
        if (stored == Stored::text) return addText(column, text, hasEscape);
        if (stored != Stored::date && stored != Stored::time) return false;
        if (hasEscape || !column.read(text)) column.leave(raw);
        return true;
      }
      case Kind::truth:
        if (stored == Stored::text) column.addText(raw);
        return stored == Stored::text || (stored == Stored::boolean && column.read(raw));
      case Kind::number:
        if (stored == Stored::text) return isPlainNumber(raw) && addText(column, raw, false);
        if (stored == Stored::boolean || stored == Stored::date || stored == Stored::time) return false;
        if (!column.read(raw)) column.leave(raw);
        return true;
      case Kind::nested:
        return false;
    }
    return false;
  }

  bool addText(Column &column, const Text &text, bool hasEscape) {
    if (!hasEscape) {
      column.addText(text);
      return true;
    }
    if (!json::unescape(text, plain_)) return false;
    column.addText({plain_.data(), plain_.data() + plain_.size(), plain_.data()});
    return true;
  }

  /** Whether a number is an integer that JavaScript writes in the same way. -0 is not. */
  static bool isPlainNumber(const Text &number) {
    return number.size() <= PLAIN_DIGITS && std::all_of(number.at, number.end, [](uint8_t byte) { return json::isDigit(byte); });
  }

  json::Objects objects_;
  PieceRead &to_;
  /** A text without its escapes. */
  std::vector<uint8_t> plain_;
  const uint8_t *floor_ = nullptr;
  uint32_t high_ = 0;
};

class Steps final : public ReadsSteps {
 public:
  Steps(const JsonlOf &of, size_t size, PieceRead &to) : to_(withColumns(of, to)), lines_(of, to_), all_(size) {}

  bool read(const uint8_t *bytes, size_t size, bool isLast, size_t &used, Stopped stopped) override {
    if (size >= MOST_PIECE_BYTES) return false;
    // The last lines are read from a copy, so that the bytes behind them may be read, and with a line feed.
    const size_t tail = lines_.tail();
    size_t whole = size > tail ? size - tail : 0;
    while (whole > 0 && bytes[whole - 1] != '\n') whole--;
    if (!lines_.read(bytes, whole, done_, all_, stopped)) return false;
    used = whole;
    if (isLast) {
      used = size;
      if (!readLast(bytes + whole, size - whole, done_ + whole, stopped)) return false;
    }
    done_ += used;
    return lines_.isAscii() || isUtf8(bytes, used);
  }

 private:
  static PieceRead &withColumns(const JsonlOf &of, PieceRead &to) {
    for (const Wanted &column : of.columns) to.columns.emplace_back(column);
    return to;
  }

  bool readLast(const uint8_t *bytes, size_t size, size_t done, Stopped stopped) {
    std::vector<uint8_t> last(size + 1 + lines_.tail(), 0);
    if (size > 0) std::memcpy(last.data(), bytes, size);
    const bool isEnded = size == 0 || last[size - 1] == '\n';
    if (!isEnded) last[size] = '\n';
    return lines_.read(last.data(), isEnded ? size : size + 1, done, all_, stopped);
  }

  PieceRead &to_;
  Lines lines_;
  const size_t all_;
  size_t done_ = 0;
};

}  // namespace

std::unique_ptr<ReadsSteps> jsonlSteps(const JsonlOf &of, size_t size, PieceRead &to) {
  return std::make_unique<Steps>(of, size, to);
}

PieceRead readJsonl(const JsonlOf &of, const uint8_t *bytes, size_t size, Stopped stopped) {
  PieceRead to;
  size_t used = 0;
  to.isRegular = Steps(of, size, to).read(bytes, size, true, used, stopped);
  return to;
}

}  // namespace polybin
