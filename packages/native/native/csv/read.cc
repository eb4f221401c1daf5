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
  Records(const CsvOf &of, const uint8_t *bytes, size_t size, PieceRead &to)
      : of_(of), bytes_(bytes), size_(size), to_(to), ends_(std::min(STEP, size + BLOCK) + of.width + 8) {
    addColumns(of, to);
  }

  /** The place for the ends that are found next. */
  uint32_t *next() { return ends_.data() + kept_; }

  /** Reads the records of all ends up to `to`. The ends of a record that is not complete are kept. */
  bool read(const uint32_t *to) {
    const uint32_t *end = ends_.data();
    const uint32_t width = of_.width;
    const size_t more = static_cast<size_t>(to - end) / width + 1;
    for (Column &column : to_.columns) column.reserve(more, to_.expected(size_, start_));
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
  const uint8_t *const bytes_;
  const size_t size_;
  PieceRead &to_;
  std::vector<uint32_t> ends_;
  /** A text without its doubled marks. */
  std::vector<uint8_t> plain_;
  size_t kept_ = 0;
  uint32_t start_ = 0;
};

}  // namespace

PieceRead readCsv(const CsvOf &of, const uint8_t *bytes, size_t size, Stopped stopped) {
  PieceRead to;
  if (size == 0) {
    to.isRegular = true;
    addColumns(of, to);
    return to;
  }
  // A single newline ends no record.
  const bool isNewline = size <= 2 && (bytes[size - 1] == '\n' || (size == 1 && *bytes == '\r'));
  if (isNewline || size >= MOST_PIECE_BYTES) return to;
  const FindEnds findEnds = endsOf(of.instructions);
  Records records(of, bytes, size, to);
  Looked looked;
  const size_t whole = size / BLOCK * BLOCK;
  for (size_t at = 0; at < whole; at += STEP) {
    const size_t step = std::min(STEP, whole - at);
    const uint32_t *const end =
        findEnds(of.dialect, bytes + at, step / BLOCK, static_cast<uint32_t>(at), looked, records.next());
    if (looked.isIrregular || !records.read(end) || (stopped != nullptr && *stopped != 0)) return to;
  }
  // A newline ends the last record, if there is none.
  uint8_t last[BLOCK];
  std::memset(last, '\n', BLOCK);
  std::memcpy(last, bytes + whole, size - whole);
  uint32_t *end = findEnds(of.dialect, last, 1, static_cast<uint32_t>(whole), looked, records.next());
  if (looked.isIrregular || looked.inside != 0) return to;
  const bool isEnded = size == 0 || bytes[size - 1] == '\n';
  const auto ends = static_cast<uint32_t>(isEnded ? size : size + 1);
  while (end > records.next() && (end[-1] & ~LAST) >= ends) end--;
  to.isRegular = records.read(end) && records.isWhole() && (!of.isUtf8 || looked.bytes == 0 || isUtf8(bytes, size));
  return to;
}

bool isQuoteOpen(const Dialect &of, const uint8_t *bytes, size_t size) {
  if (!of.hasQuote) return false;
  uint8_t odd = 0;
  for (size_t i = 0; i < size; i++) odd ^= static_cast<uint8_t>(bytes[i] == of.quote);
  return odd != 0;
}

}  // namespace polybin
