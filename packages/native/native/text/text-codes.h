// The different texts of a column, numbered in the order in which they occur.
#pragma once
#include <vector>

#include "numbers.h"

namespace polybin {

class TextCodes {
 public:
  TextCodes() : table_(SMALLEST, NO_TEXT) {}

  /** Returns the number of a text. */
  uint32_t code(const Text &);

  /** The texts one behind the other, and where each one ends. */
  const std::vector<uint8_t> &texts() const { return texts_; }
  const std::vector<uint32_t> &ends() const { return ends_; }

 private:
  static constexpr uint32_t NONE = 0xffffffff;
  static constexpr size_t SMALLEST = 1024;

  /** A text by its last bytes, so that most lookups need not read its others. */
  struct Slot {
    uint64_t last;
    uint32_t size, code;
  };
  static constexpr Slot NO_TEXT{0, 0, NONE};

  Text textOf(uint32_t code) const;
  size_t placeOf(const Text &, uint64_t last) const;
  void grow();

  /** Codes by hash, with free places behind each. Its size is a power of two. */
  std::vector<Slot> table_;
  std::vector<uint8_t> texts_;
  std::vector<uint32_t> ends_;
};

}  // namespace polybin
