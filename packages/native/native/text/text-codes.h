// The different texts of a column, numbered in the order in which they occur.
#pragma once
#include <vector>

#include "numbers.h"

namespace polybin {

class TextCodes {
 public:
  TextCodes() : table_(SMALLEST, NONE) {}

  /** Returns the number of a text. */
  uint32_t code(const uint8_t *text, size_t size);

  /** The texts one behind the other, and where each one ends. */
  const std::vector<uint8_t> &texts() const { return texts_; }
  const std::vector<uint32_t> &ends() const { return ends_; }

 private:
  static constexpr uint32_t NONE = 0xffffffff;
  static constexpr size_t SMALLEST = 1024;

  bool isAt(uint32_t code, const uint8_t *text, size_t size) const;
  void grow();

  /** Codes by hash, with free places behind each. Its size is a power of two. */
  std::vector<uint32_t> table_;
  std::vector<uint64_t> hashes_;
  std::vector<uint8_t> texts_;
  std::vector<uint32_t> ends_;
};

}  // namespace polybin
