#include "exact-sums.h"

#include <algorithm>
#include <cstring>

namespace polybin {

int64_t *ExactSums::limb(size_t j) {
  if (limbs_[j].empty()) limbs_[j].resize(cells_);
  return limbs_[j].data();
}

void ExactSums::add(size_t cell, int64_t whole, int32_t exponent) {
  if (whole == 0) return;
  const auto at = static_cast<uint32_t>(exponent - LOWEST);
  const size_t j = at / LIMB_BITS;
  const __int128 shifted = static_cast<__int128>(whole) * (int64_t{1} << at % LIMB_BITS);
  limb(j)[cell] += static_cast<uint32_t>(shifted);
  limb(j + 1)[cell] += static_cast<uint32_t>(shifted >> LIMB_BITS);
  const auto rest = static_cast<int64_t>(shifted >> 2 * LIMB_BITS);
  if (rest != 0) limb(j + 2)[cell] += rest;
  added(1);
}

void ExactSums::add(size_t cell, double number) {
  uint64_t bits;
  std::memcpy(&bits, &number, sizeof bits);
  constexpr int32_t MANTISSA = 52, BIAS = 1075;
  const auto exponent = static_cast<int32_t>(bits >> MANTISSA & 0x7ff);
  const auto fraction = static_cast<int64_t>(bits & ((uint64_t{1} << MANTISSA) - 1));
  const int64_t whole = exponent == 0 ? fraction : fraction | int64_t{1} << MANTISSA;
  add(cell, bits >> 63 ? -whole : whole, std::max(exponent, 1) - BIAS);
}

void ExactSums::add(const ExactSums &other) {
  for (size_t j = 0; j < limbs_.size(); j++) {
    if (other.limbs_[j].empty()) continue;
    int64_t *const to = limb(j);
    for (size_t cell = 0; cell < cells_; cell++) to[cell] += other.limbs_[j][cell];
  }
  added(other.addends_ + 1);
}

void ExactSums::added(uint64_t addends) {
  addends_ += addends;
  if (addends_ >= MOST_ADDENDS) carry();
}

void ExactSums::carry() {
  constexpr int64_t HALF = int64_t{1} << (LIMB_BITS - 1);
  for (size_t j = 0; j + 1 < limbs_.size(); j++) {
    for (size_t cell = 0; cell < limbs_[j].size(); cell++) {
      const int64_t carried = (limbs_[j][cell] + HALF) >> LIMB_BITS;
      if (carried == 0) continue;
      limbs_[j][cell] -= carried * 2 * HALF;
      limb(j + 1)[cell] += carried;
    }
  }
  addends_ = 1;
}

void ExactSums::write(std::vector<double> &to, size_t cells) {
  carry();
  std::vector<size_t> used;
  for (size_t j = 0; j < limbs_.size(); j++) {
    const auto &of = limbs_[j];
    if (std::any_of(of.begin(), of.end(), [](int64_t limb) { return limb != 0; })) used.push_back(j);
  }
  to.push_back(static_cast<double>(used.size()));
  for (const size_t j : used) to.push_back(static_cast<double>(static_cast<int32_t>(j) * LIMB_BITS + LOWEST));
  for (const size_t j : used) to.insert(to.end(), limbs_[j].begin(), limbs_[j].begin() + static_cast<ptrdiff_t>(cells));
}

}  // namespace polybin
