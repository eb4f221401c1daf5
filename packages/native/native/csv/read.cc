#include "read.h"

#include <algorithm>
#include <cstring>

#include "utf8.h"

namespace polybin {
namespace {

constexpr size_t STEP = limits::CSV_BYTES;
static_assert(STEP % BLOCK == 0);

void addColumns(const CsvOf &of, CsvRead &to) {
  for (const Wanted &column : of.columns) {
    to.columns.emplace_back(column, column.stored == Stored::text ? of.textNulls : of.nulls);
  }
}

class Records {
 public:
  Records(const CsvOf &of, const uint8_t *bytes, size_t size, CsvRead &to)
      : of_(of), bytes_(bytes), size_(size), to_(to), ends_(STEP + of.width + 8) {
    addColumns(of, to);
  }

  /** The place for the ends that are found next. */
  uint32_t *next() { return ends_.data() + kept_; }

  /** Reads the records of all ends up to `to`. The ends of a record that is not complete are kept. */
  bool read(const uint32_t *to) {
    const uint32_t *end = ends_.data();
    const uint32_t width = of_.width;
    const size_t more = static_cast<size_t>(to - end) / width + 1;
    for (Column &column : to_.columns) column.reserve(more, expected());
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
  /** The rows of all bytes if those to come are as those so far, and a few more. */
  size_t expected() const {
    return start_ == 0 ? 0 : static_cast<size_t>(1.05 * to_.rows * static_cast<double>(size_) / start_);
  }

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
      column.add(of_.dialect, {bytes_ + from, bytes_ + to, bytes_}, index + 1 == of_.width);
    }
    to_.rows++;
  }

  const CsvOf &of_;
  const uint8_t *const bytes_;
  const size_t size_;
  CsvRead &to_;
  std::vector<uint32_t> ends_;
  size_t kept_ = 0;
  uint32_t start_ = 0;
};

}  // namespace

CsvRead readCsv(const CsvOf &of, const uint8_t *bytes, size_t size, const std::atomic<uint32_t> *stopped) {
  CsvRead to;
  if (size == 0) {
    to.isRegular = true;
    addColumns(of, to);
    return to;
  }
  // A single newline ends no record. Places are numbers of 31 bits.
  const bool isNewline = size <= 2 && (bytes[size - 1] == '\n' || (size == 1 && *bytes == '\r'));
  if (isNewline || size >= LAST - BLOCK) return to;
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

}  // namespace polybin
