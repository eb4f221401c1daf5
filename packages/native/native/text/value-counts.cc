#include "value-counts.h"

#include <cstring>

#include "generated/border.h"

namespace polybin {
namespace {

/** Different values after which it is decided whether they repeat. */
constexpr size_t FIRST = limits::REPEATS_FIRST;

/** Places of values by hash, in a table that is at most half full. */
class Places {
 public:
  /** Returns the place of a value, which is `next` if it is new. */
  uint32_t of(uint64_t value, uint32_t next) {
    const size_t mask = slots_.size() - 1;
    size_t at = hashOf(value) & mask;
    for (;; at = (at + 1) & mask) {
      Slot &slot = slots_[at];
      if (slot.place == NONE) break;
      if (slot.value == value) return slot.place;
    }
    slots_[at] = {value, next};
    if (2 * (size_t{next} + 1) > slots_.size()) grow();
    return next;
  }

 private:
  static constexpr uint32_t NONE = 0xffffffff;
  static constexpr size_t SMALLEST = 2048;

  struct Slot {
    uint64_t value;
    uint32_t place;
  };

  static size_t hashOf(uint64_t value) {
    const unsigned __int128 product = static_cast<unsigned __int128>(value ^ 0x2545f4914f6cdd1d) * 0x9e3779b97f4a7c15;
    return static_cast<size_t>(product) ^ static_cast<size_t>(product >> 64);
  }

  void grow() {
    std::vector<Slot> before(2 * slots_.size(), Slot{0, NONE});
    before.swap(slots_);
    const size_t mask = slots_.size() - 1;
    for (const Slot &slot : before) {
      if (slot.place == NONE) continue;
      size_t at = hashOf(slot.value) & mask;
      while (slots_[at].place != NONE) at = (at + 1) & mask;
      slots_[at] = slot;
    }
  }

  std::vector<Slot> slots_ = std::vector<Slot>(SMALLEST, Slot{0, NONE});
};

template <typename T>
T valueAt(const uint8_t *values, size_t row) {
  T value;
  std::memcpy(&value, values + row * sizeof value, sizeof value);
  return value;
}

template <typename T, typename IsMissing>
void countAs(const Rows &of, IsMissing isMissing, std::vector<uint32_t> &counts) {
  Places places;
  std::vector<T> different;
  size_t seen = 0;
  for (size_t row = 0; row < of.rows; row++) {
    if (isMissing(row)) continue;
    seen++;
    const T value = valueAt<T>(of.values, row);
    const auto next = static_cast<uint32_t>(different.size());
    const uint32_t place = places.of(value, next);
    if (place < next) {
      counts[place]++;
      continue;
    }
    different.push_back(value);
    counts.push_back(1);
    const bool isRare = different.size() > of.rows / 2 || (different.size() == FIRST && limits::REPEATS_OF * FIRST > limits::REPEATS_MOST * seen);
    if (isRare) {
      counts.clear();
      return;
    }
  }
  if (!different.empty()) std::memcpy(of.values, different.data(), different.size() * sizeof(T));
}

template <typename T>
void countRows(const Rows &of, const std::vector<uint8_t> &missing, std::vector<uint32_t> &counts) {
  if (missing.empty()) {
    countAs<T>(of, [](size_t) { return false; }, counts);
    return;
  }
  countAs<T>(of, [&](size_t row) { return row / 8 < missing.size() && (missing[row / 8] >> (row % 8) & 1) != 0; }, counts);
}

}  // namespace

void countValues(Rows of, const std::vector<uint8_t> &missing, std::vector<uint32_t> &counts) {
  switch (of.bytes) {
    case 1:
      return countRows<uint8_t>(of, missing, counts);
    case 2:
      return countRows<uint16_t>(of, missing, counts);
    case 4:
      return countRows<uint32_t>(of, missing, counts);
    default:
      return countRows<uint64_t>(of, missing, counts);
  }
}

}  // namespace polybin
