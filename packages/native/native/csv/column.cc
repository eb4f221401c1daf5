#include "column.h"

#include <algorithm>
#include <cstring>
#include <limits>

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

NullTexts::NullTexts(const uint8_t *texts, size_t bytes) : texts_(texts, texts + bytes) {
  for (size_t at = 0; at < bytes; at += 1 + size_t{texts[at]}) {
    const size_t size = texts[at];
    longest_ = std::max(longest_, size);
    if (size == 0) hasEmpty_ = true;
    else starts_[texts[at + 1]] = true;
  }
}

bool NullTexts::has(const Text &text) const {
  const size_t size = text.size();
  if (size == 0) return hasEmpty_;
  if (size > longest_ || !starts_[*text.at]) return false;
  for (size_t at = 0; at < texts_.size(); at += 1 + size_t{texts_[at]}) {
    if (texts_[at] == size && std::memcmp(&texts_[at + 1], text.at, size) == 0) return true;
  }
  return false;
}

void Column::reserve(size_t rows, size_t expected) {
  const size_t own = bytesOf(of_.stored), bytes = (rows_ + rows) * own;
  if (bytes > values_.size()) values_.resize(std::max(bytes, expected * own));
}

template <typename T>
void Column::put(T value) {
  std::memcpy(&values_[rows_ * sizeof value], &value, sizeof value);
  rows_++;
}

size_t Column::bytes() const { return size_t{rows_} * bytesOf(of_.stored); }

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
  if (nulls_ == 0) return {};
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

void Column::addText(const Dialect &of, Text text, bool isLast) {
  const bool isQuoted = of.hasQuote && text.size() > 0 && *text.at == of.quote;
  if (isLast && text.size() > 0 && text.end[-1] == '\r') text.end--;
  if (isQuoted) {
    text.at++;
    text.end--;
    if (isLast && text.size() > 0 && text.end[-1] == '\r') text.end--;
  }
  if (isQuoted && text.size() > 0 && std::memchr(text.at, of.quote, text.size()) != nullptr) {
    // A doubled mark in the text stands for one.
    texts_.clear();
    for (const uint8_t *at = text.at; at < text.end; at++) {
      texts_.push_back(*at);
      if (*at == of.quote) at++;
    }
    text = {texts_.data(), texts_.data() + texts_.size(), texts_.data()};
  }
  if (missingTexts_.has(text)) addNull();
  else put(codes_.code(text.at, text.size()));
}

void Column::add(const Dialect &of, const Text &field, bool isLast) {
  if (isText()) return addText(of, field, isLast);
  Text text = field;
  bool isPlain = true;
  if (isLast && text.size() > 0 && text.end[-1] == '\r') text.end--;
  if (of.hasQuote && text.size() > 0 && *text.at == of.quote) {
    text.at++;
    text.end--;
    // A doubled mark in the text stands for one.
    isPlain = text.size() == 0 || std::memchr(text.at, of.quote, text.size()) == nullptr;
  }
  if (isPlain && missingTexts_.has(text)) return addNull();
  if (isPlain && read(text)) return;
  texts_.insert(texts_.end(), field.at, field.end);
  unread_.push_back({rows_, static_cast<uint32_t>(texts_.size())});
  clear();
}

}  // namespace polybin
