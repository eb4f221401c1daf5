// A case of a fuzz target: numbers come first, and the bytes that are read follow.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "text/column.h"

namespace polybin::fuzz {

class Input {
 public:
  Input(const uint8_t *bytes, size_t size) : at_(bytes), end_(bytes + size) {}

  /** Takes a number from 0 to `most`, in as few bytes as hold it, the lowest first. A missing byte is 0. */
  uint32_t number(uint32_t most) {
    uint64_t number = 0;
    for (int shift = 0; most >> shift != 0; shift += 8) {
      if (at_ != end_) number |= static_cast<uint64_t>(*at_++) << shift;
      if (shift == 24) break;
    }
    return static_cast<uint32_t>(number % (uint64_t{most} + 1));
  }
  bool flag() { return number(1) != 0; }
  template <typename T>
  T one(T last) {
    return static_cast<T>(number(static_cast<uint32_t>(last)));
  }
  /** Takes bytes into memory of their own, so that the sanitizer sees every access outside of them. */
  std::vector<uint8_t> bytes(size_t most) {
    const size_t size = std::min(most, static_cast<size_t>(end_ - at_));
    std::vector<uint8_t> taken(at_, at_ + size);
    at_ += size;
    return taken;
  }
  std::vector<uint8_t> rest() { return bytes(static_cast<size_t>(end_ - at_)); }

 private:
  const uint8_t *at_;
  const uint8_t *const end_;
};

/** Ends the process with a message if something is not as promised. */
inline void expect(bool holds, const char *what) {
  if (holds) return;
  std::fprintf(stderr, "expected %s\n", what);
  std::abort();
}

template <typename T>
T valueAt(const std::vector<uint8_t> &values, size_t row) {
  T value;
  std::memcpy(&value, &values[row * sizeof value], sizeof value);
  return value;
}

inline bool isNull(const Column &column, size_t row) {
  const std::vector<uint8_t> valid = column.valid();
  return !valid.empty() && ((valid[row / 8] >> (row % 8)) & 1) == 0;
}

/** The text of a row of a column of texts. */
inline std::vector<uint8_t> textAt(const Column &column, size_t row) {
  const auto code = valueAt<uint32_t>(column.values(), row);
  const TextCodes &codes = column.codes();
  expect(code < codes.ends().size(), "the code of a text");
  const uint8_t *const texts = codes.texts().data();
  return {texts + (code == 0 ? 0 : codes.ends()[code - 1]), texts + codes.ends()[code]};
}

/** Takes columns of any types. */
inline std::vector<Wanted> wantedOf(Input &input, uint32_t fields) {
  std::vector<Wanted> columns;
  const uint32_t count = input.number(std::min(fields, 7U));
  for (uint32_t i = 0; i < count; i++) {
    const auto stored = input.one(Stored::text);
    columns.push_back({input.number(fields - 1), stored, {static_cast<int>(input.number(9)), input.flag()}, false});
  }
  return columns;
}

}  // namespace polybin::fuzz
