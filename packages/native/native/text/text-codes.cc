#include "text-codes.h"

#include <cstring>

namespace polybin {
namespace {

constexpr size_t WORD = sizeof(uint64_t);

/** The last eight bytes of a text, or all of a shorter one, above zeros. */
uint64_t lastOf(const Text &text) {
  const size_t size = text.size();
  if (size == 0) return 0;
  if (size >= WORD) return wordAt(text.end - WORD);
  if (text.end - text.floor >= static_cast<ptrdiff_t>(WORD)) return wordAt(text.end - WORD) >> (64 - 8 * size);
  uint64_t word = 0;
  std::memcpy(&word, text.at, size);
  return word;
}

/** Mixes eight bytes at a time by a multiplication whose halves are joined. The last bytes may be mixed in twice. */
uint64_t hashOf(const Text &text, uint64_t last) {
  constexpr uint64_t BY = 0x9e3779b97f4a7c15;
  uint64_t hash = text.size();
  const auto mix = [&](uint64_t word) {
    const unsigned __int128 product = static_cast<unsigned __int128>(hash ^ word) * BY;
    hash = static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
  };
  for (const uint8_t *at = text.at; text.end - at > static_cast<ptrdiff_t>(WORD); at += WORD) mix(wordAt(at));
  mix(last + 1);
  return hash;
}

/** Whether two texts of the same size and with the same last bytes are equal. */
bool haveEqualStarts(const Text &a, const Text &b) {
  const size_t size = a.size();
  if (size <= WORD) return true;
  if (size <= 2 * WORD) return wordAt(a.at) == wordAt(b.at);
  return std::memcmp(a.at, b.at, size - WORD) == 0;
}

}  // namespace

Text TextCodes::textOf(uint32_t code) const {
  const uint8_t *const texts = texts_.data();
  return {texts + (code == 0 ? 0 : ends_[code - 1]), texts + ends_[code], texts};
}

/** Returns the place of a text, or the free place for it. */
size_t TextCodes::placeOf(const Text &text, uint64_t last) const {
  const size_t mask = table_.size() - 1, size = text.size();
  for (size_t at = hashOf(text, last) & mask;; at = (at + 1) & mask) {
    const Slot &slot = table_[at];
    if (slot.code == NONE) return at;
    if (slot.last == last && slot.size == size && haveEqualStarts(text, textOf(slot.code))) return at;
  }
}

uint32_t TextCodes::code(const Text &text) {
  const uint64_t last = lastOf(text);
  Slot &slot = table_[placeOf(text, last)];
  if (slot.code != NONE) return slot.code;
  const auto code = static_cast<uint32_t>(ends_.size());
  slot = {last, static_cast<uint32_t>(text.size()), code};
  texts_.insert(texts_.end(), text.at, text.end);
  ends_.push_back(static_cast<uint32_t>(texts_.size()));
  if (ends_.size() * 2 > table_.size()) grow();
  return code;
}

void TextCodes::grow() {
  table_.assign(table_.size() * 2, NO_TEXT);
  for (uint32_t code = 0; code < ends_.size(); code++) {
    const Text text = textOf(code);
    const uint64_t last = lastOf(text);
    table_[placeOf(text, last)] = {last, static_cast<uint32_t>(text.size()), code};
  }
}

}  // namespace polybin
