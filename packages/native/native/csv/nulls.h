// Texts that are nulls in CSV.
#pragma once
#include <vector>

#include "text/numbers.h"

namespace polybin {

class NullTexts {
 public:
  /** @param texts the texts, each behind the number of its bytes */
  NullTexts(const uint8_t *texts, size_t bytes);
  bool has(const Text &) const;

 private:
  std::vector<uint8_t> texts_;
  size_t longest_ = 0;
  bool hasEmpty_ = false;
  /** Whether a text that is not empty starts with this byte. */
  bool starts_[256] = {};
};

}  // namespace polybin
