#include "read.h"

#include <algorithm>
#include <cstring>

#include "text/utf8.h"

namespace polybin {
namespace {

constexpr size_t STEP = limits::CSV_BYTES;
static_assert(STEP % BLOCK == 0);

void addColumns(const CsvOf &of, PieceRead &to) {
  for (const Wanted &column : of.columns) to.columns.emplace_back(column);
}

bool isQuoted(const Dialect &of, const Text &field) {
  return of.hasQuote && field.size() > 0 && *field.at == of.quote;
}

class Records {
 public:
  Records(const CsvOf &of, size_t size, PieceRead &to)
      : of_(of), size_(size), to_(to), ends_(std::min(STEP, size + BLOCK) + of.width + 8) {
    addColumns(of, to);
  }

  /** Goes on with other bytes, which start with a record. */
  void start(const uint8_t *bytes) {
    done_ += start_;
    bytes_ = bytes;
    start_ = 0;
    kept_ = 0;
  }

  /** Bytes of the records that were read since the start. */
  size_t used() const { return start_; }
  bool isFirst() const { return done_ == 0; }

  /** The place for the ends that are found next. */
  uint32_t *next() { return ends_.data() + kept_; }

  /** Reads the records of all ends up to `to`. The ends of a record that is not complete are kept. */
  bool read(const uint32_t *to) {
    const uint32_t *end = ends_.data();
    const uint32_t width = of_.width;
    const size_t more = static_cast<size_t>(to - end) / width + 1;
    for (Column &column : to_.columns) column.reserve(more, to_.expected(size_, done_ + start_));
    while (end < to) {
      const size_t rest = static_cast<size_t>(to - end);
      if (rest >= width && isRecord(end)) {
        addRecord(end);
        start_ = (end[width - 1] & ~LAST) + 1;
        end += width;
        continue;
      }
      if ((*end & LAST) != 0 && width > 1) {
        if (!isBlank(*end & ~LAST)) return false;
        start_ = (*end & ~LAST) + 1;
        end++;
        continue;
      }
      if (rest >= width) return false;
      break;
    }
    kept_ = static_cast<size_t>(to - end);
    std::memmove(ends_.data(), end, kept_ * sizeof *end);
    return true;
  }

  bool isWhole() const { return kept_ == 0; }

 private:
  /** Whether the last one of these ends is the only one of a record. */
  bool isRecord(const uint32_t *end) const {
    uint32_t any = 0;
    for (uint32_t i = 0; i + 1 < of_.width; i++) any |= end[i];
    return (any & LAST) == 0 && (end[of_.width - 1] & LAST) != 0;
  }

  /** Whether nothing is before the end of a line. */
  bool isBlank(uint32_t end) const { return end == start_ || (end == start_ + 1 && bytes_[start_] == '\r'); }

  void addRecord(const uint32_t *end) {
    for (Column &column : to_.columns) {
      const uint32_t index = column.index();
      const uint32_t from = index == 0 ? start_ : (end[index - 1] & ~LAST) + 1, to = end[index] & ~LAST;
      const Text field{bytes_ + from, bytes_ + to, bytes_};
      if (column.isText()) addText(column, field, index + 1 == of_.width);
      else add(column, field, index + 1 == of_.width);
    }
    to_.rows++;
  }

  /** @param isLast whether the field ends its record, where a carriage return is none of its text */
  void addText(Column &column, Text text, bool isLast) {
    const bool isQuotedText = isQuoted(of_.dialect, text);
    const auto dropReturn = [&] {
      if (isLast && text.size() > 0 && text.end[-1] == '\r') text.end--;
    };
    dropReturn();
    if (isQuotedText) {
      text.at++;
      text.end--;
      dropReturn();
    }
    const uint8_t quote = of_.dialect.quote;
    if (isQuotedText && text.size() > 0 && std::memchr(text.at, quote, text.size()) != nullptr) {
      // A doubled mark in the text stands for one.
      plain_.clear();
      for (const uint8_t *at = text.at; at < text.end; at++) {
        plain_.push_back(*at);
        if (*at == quote) at++;
      }
      text = {plain_.data(), plain_.data() + plain_.size(), plain_.data()};
    }
    if (of_.textNulls.has(text)) column.addNull();
    else column.addText(text);
  }

  void add(Column &column, const Text &field, bool isLast) {
    Text text = field;
    bool isPlain = true;
    if (isLast && text.size() > 0 && text.end[-1] == '\r') text.end--;
    if (isQuoted(of_.dialect, text)) {
      text.at++;
      text.end--;
      // A doubled mark in the text stands for one.
      isPlain = text.size() == 0 || std::memchr(text.at, of_.dialect.quote, text.size()) == nullptr;
    }
    if (isPlain && of_.nulls.has(text)) column.addNull();
    else if (!isPlain || !column.read(text)) column.leave(field);
  }

  const CsvOf &of_;
  const uint8_t *bytes_ = nullptr;
  const size_t size_;
  /** Bytes before. */
  size_t done_ = 0;
  PieceRead &to_;
  std::vector<uint32_t> ends_;
  /** A text without its doubled marks. */
  std::vector<uint8_t> plain_;
  size_t kept_ = 0;
  uint32_t start_ = 0;
};

class Steps final : public ReadsSteps {
 public:
  Steps(const CsvOf &of, size_t size, PieceRead &to) : of_(of), findEnds_(endsOf(of.instructions)), records_(of, size, to) {}

  bool read(const uint8_t *bytes, size_t size, bool isLast, size_t &used, Stopped stopped) override {
    if (size >= MOST_PIECE_BYTES) return false;
    records_.start(bytes);
    if (isLast && size == 0) return true;
    // A single newline ends no record.
    const bool isNewline = size <= 2 && (bytes[size - 1] == '\n' || (size == 1 && *bytes == '\r'));
    if (isLast && isNewline && records_.isFirst()) return false;
    Looked looked;
    const size_t whole = size / BLOCK * BLOCK;
    for (size_t at = 0; at < whole; at += STEP) {
      const size_t step = std::min(STEP, whole - at);
      const uint32_t *const end =
          findEnds_(of_.dialect, bytes + at, step / BLOCK, static_cast<uint32_t>(at), looked, records_.next());
      if (looked.isIrregular || !records_.read(end) || (stopped != nullptr && *stopped != 0)) return false;
    }
    if (isLast && !readLast(bytes, size, looked)) return false;
    used = isLast ? size : records_.used();
    return !of_.isUtf8 || looked.bytes == 0 || isUtf8(bytes, used);
  }

 private:
  /** Reads what is behind the last whole block. A newline ends the last record, if there is none. */
  bool readLast(const uint8_t *bytes, size_t size, Looked &looked) {
    const size_t whole = size / BLOCK * BLOCK;
    uint8_t last[BLOCK];
    std::memset(last, '\n', BLOCK);
    std::memcpy(last, bytes + whole, size - whole);
    uint32_t *end = findEnds_(of_.dialect, last, 1, static_cast<uint32_t>(whole), looked, records_.next());
    if (looked.isIrregular || looked.inside != 0) return false;
    const bool isEnded = bytes[size - 1] == '\n';
    const auto ends = static_cast<uint32_t>(isEnded ? size : size + 1);
    while (end > records_.next() && (end[-1] & ~LAST) >= ends) end--;
    return records_.read(end) && records_.isWhole();
  }

  const CsvOf &of_;
  const FindEnds findEnds_;
  Records records_;
};

}  // namespace

std::unique_ptr<ReadsSteps> csvSteps(const CsvOf &of, size_t size, PieceRead &to) { return std::make_unique<Steps>(of, size, to); }

PieceRead readCsv(const CsvOf &of, const uint8_t *bytes, size_t size, Stopped stopped) {
  PieceRead to;
  size_t used = 0;
  to.isRegular = Steps(of, size, to).read(bytes, size, true, used, stopped);
  return to;
}

bool isQuoteOpen(const Dialect &of, const uint8_t *bytes, size_t size) {
  if (!of.hasQuote) return false;
  uint8_t odd = 0;
  for (size_t i = 0; i < size; i++) odd ^= static_cast<uint8_t>(bytes[i] == of.quote);
  return odd != 0;
}

}  // namespace polybin
