#include "nulls.h"

#include <algorithm>
#include <cstring>

namespace polybin {

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

}  // namespace polybin
