#include "text-codes.h"

#include <cstring>

namespace polybin {
namespace {

/** Mixes eight bytes at a time by a multiplication whose halves are joined. */
uint64_t hashOf(const uint8_t *text, size_t size) {
  constexpr uint64_t BY = 0x9e3779b97f4a7c15;
  uint64_t hash = size;
  const auto mix = [&](uint64_t word) {
    const unsigned __int128 product = static_cast<unsigned __int128>(hash ^ word) * BY;
    hash = static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
  };
  for (; size >= 8; size -= 8, text += 8) mix(wordAt(text));
  uint64_t rest = 0;
  std::memcpy(&rest, text, size);
  mix(rest + 1);
  return hash;
}

}  // namespace

bool TextCodes::isAt(uint32_t code, const uint8_t *text, size_t size) const {
  const uint32_t from = code == 0 ? 0 : ends_[code - 1];
  return ends_[code] - from == size && (size == 0 || std::memcmp(texts_.data() + from, text, size) == 0);
}

uint32_t TextCodes::code(const uint8_t *text, size_t size) {
  const uint64_t hash = hashOf(text, size);
  size_t at = hash & (table_.size() - 1);
  for (; table_[at] != NONE; at = (at + 1) & (table_.size() - 1)) {
    const uint32_t code = table_[at];
    if (hashes_[code] == hash && isAt(code, text, size)) return code;
  }
  const auto code = static_cast<uint32_t>(ends_.size());
  table_[at] = code;
  hashes_.push_back(hash);
  texts_.insert(texts_.end(), text, text + size);
  ends_.push_back(static_cast<uint32_t>(texts_.size()));
  if (ends_.size() * 2 > table_.size()) grow();
  return code;
}

void TextCodes::grow() {
  const size_t size = table_.size() * 2;
  table_.assign(size, NONE);
  for (uint32_t code = 0; code < hashes_.size(); code++) {
    size_t at = hashes_[code] & (size - 1);
    while (table_[at] != NONE) at = (at + 1) & (size - 1);
    table_[at] = code;
  }
}

}  // namespace polybin
