#include "column.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "value-counts.h"

namespace polybin {
namespace {

uint32_t bytesOf(Stored stored) {
  switch (stored) {
    case Stored::u8:
    case Stored::i8:
    case Stored::boolean:
      return 1;
    case Stored::u16:
    case Stored::i16:
      return 2;
    case Stored::u32:
    case Stored::i32:
    case Stored::f32:
    case Stored::date:
    case Stored::text:
      return 4;
    default:
      return 8;
  }
}

bool isWord(const Text &text, const char *as) {
  return text.size() == std::strlen(as) && std::memcmp(text.at, as, text.size()) == 0;
}

}  // namespace

void Column::reserve(size_t rows, size_t expected) {
  const size_t own = bytesOf(of_.stored), bytes = (rows_ + rows) * own;
  if (bytes > values_.size()) values_.resize(std::max(bytes, expected * own));
}

template <typename T>
void Column::put(T value) {
  std::memcpy(&values_[rows_ * sizeof value], &value, sizeof value);
  rows_++;
}

size_t Column::bytes() const {
  if (!isCounted()) return size_t{rows_} * bytesOf(of_.stored);
  return isText() ? 0 : counts_.size() * bytesOf(of_.stored);
}

void Column::addNull() {
  const size_t byte = rows_ / 8;
  if (byte >= missing_.size()) missing_.resize(std::max<size_t>(64, 2 * (byte + 1)));
  missing_[byte] |= static_cast<uint8_t>(1 << (rows_ % 8));
  nulls_++;
  clear();
}

void Column::clear() {
  const size_t bytes = bytesOf(of_.stored);
  std::memset(&values_[rows_ * bytes], 0, bytes);
  rows_++;
}

std::vector<uint8_t> Column::valid() const {
  if (nulls_ == 0 || isCounted()) return {};
  std::vector<uint8_t> valid((size_t{rows_} + 7) / 8, 0xff);
  for (size_t i = 0; i < std::min(valid.size(), missing_.size()); i++) valid[i] = static_cast<uint8_t>(~missing_[i]);
  if (rows_ % 8 != 0) valid.back() &= static_cast<uint8_t>((1 << (rows_ % 8)) - 1);
  return valid;
}

template <typename T>
bool Column::putWhole(const Text &text, T least, T most) {
  Whole whole;
  if (!readWhole(text, whole)) return false;
  // The size of the smallest number is that of the largest and one more.
  const uint64_t limit = whole.isNegative ? (least == 0 ? 0 : static_cast<uint64_t>(most) + 1) : static_cast<uint64_t>(most);
  if (whole.size > limit) return false;
  put(static_cast<T>(whole.isNegative ? 0 - whole.size : whole.size));
  return true;
}

bool Column::read(const Text &text) {
  switch (of_.stored) {
    case Stored::f64:
    case Stored::f32: {
      double value;
      if (!readDouble(text, value)) return false;
      if (of_.stored == Stored::f64) put(value);
      else put(static_cast<float>(value));
      return true;
    }
#define POLYBIN_WHOLE(stored, type) \
  case Stored::stored:              \
    return putWhole<type>(text, std::numeric_limits<type>::min(), std::numeric_limits<type>::max())
      POLYBIN_WHOLE(u8, uint8_t);
      POLYBIN_WHOLE(i8, int8_t);
      POLYBIN_WHOLE(u16, uint16_t);
      POLYBIN_WHOLE(i16, int16_t);
      POLYBIN_WHOLE(u32, uint32_t);
      POLYBIN_WHOLE(i32, int32_t);
      POLYBIN_WHOLE(u64, uint64_t);
      POLYBIN_WHOLE(i64, int64_t);
#undef POLYBIN_WHOLE
    case Stored::boolean:
      if (isWord(text, "true") || isWord(text, "1")) put(uint8_t{1});
      else if (isWord(text, "false") || isWord(text, "0")) put(uint8_t{0});
      else return false;
      return true;
    case Stored::date: {
      int32_t days;
      if (text.size() != DATE_BYTES || !readDate(text.at, days)) return false;
      put(days);
      return true;
    }
    case Stored::time: {
      int64_t ticks;
      if (!readTime(text, of_.clock, ticks)) return false;
      put(ticks);
      return true;
    }
    case Stored::text:
      break;
  }
  return false;
}

void Column::addText(const Text &text) { put(codes_.code(text)); }

void Column::leave(const Text &raw) {
  texts_.insert(texts_.end(), raw.at, raw.end);
  unread_.push_back({rows_, static_cast<uint32_t>(texts_.size())});
  clear();
}

void Column::count() {
  if (!of_.isCounted || !unread_.empty()) return;
  if (isText()) countTexts();
  else countValues({values_.data(), bytesOf(of_.stored), rows_}, missing_, counts_);
}

void Column::countTexts() {
  counts_.assign(codes_.ends().size(), 0);
  for (size_t row = 0; row < rows_; row++) {
    if (isMissing(row)) continue;
    uint32_t code;
    std::memcpy(&code, &values_[row * sizeof code], sizeof code);
    counts_[code]++;
  }
}

}  // namespace polybin
