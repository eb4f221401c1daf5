#include "thread-sums.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace polybin {
namespace {

/** Bits above the largest weight that a scale was chosen for. */
constexpr int32_t SPARE_BITS = 4;
/** The exponents of normal doubles. */
constexpr int32_t NORMAL_MIN = -1022, NORMAL_MAX = 1022;

Scale scaleOf(int32_t exponent) {
  const int32_t high = exponent + static_cast<int32_t>(LOW_BITS);
  return {exponent, std::ldexp(1.0, -high), std::ldexp(1.0, high), std::ldexp(1.0, -exponent), std::ldexp(1.0, exponent)};
}

/** Whether the scale holds a weight: the rule of the kernels, on one weight. */
bool isHeld(const Scale &by, double weight) {
  constexpr double ROUND = 6755399441055744.0;
  const double high = (weight * by.toHigh + ROUND) - ROUND;
  const double rest = weight - high * by.ofHigh;
  const double low = (rest * by.toLow + ROUND) - ROUND;
  return std::fabs(high) <= static_cast<double>(uint64_t{1} << HIGH_BITS) && low * by.ofLow == rest;
}

}  // namespace

ThreadSums::ThreadSums(AddWeights add, bool isWide, size_t cells, const AddendTables &tables)
    : sums(cells), counts(cells), add_(add), isWide_(isWide), tables_(tables) {}

double ThreadSums::at(const void *weights, size_t i) const {
  const auto *const from = static_cast<const char *>(weights);
  if (isWide_) {
    double weight;
    std::memcpy(&weight, from + i * sizeof weight, sizeof weight);
    return weight;
  }
  float weight;
  std::memcpy(&weight, from + i * sizeof weight, sizeof weight);
  return weight;
}

/** Chooses a scale for the largest of some weights. */
void ThreadSums::choose(const void *weights, size_t n) {
  double most = 0;
  for (size_t i = 0; i < n; i++) {
    const double size = std::fabs(at(weights, i));
    if (std::isfinite(size)) most = std::max(most, size);
  }
  int32_t order = 0;
  std::frexp(most, &order);
  const auto bits = static_cast<int32_t>(HIGH_BITS + LOW_BITS);
  scale_ = scaleOf(std::clamp(order + SPARE_BITS - bits, NORMAL_MIN, NORMAL_MAX - static_cast<int32_t>(LOW_BITS)));
  hasScale_ = true;
  others_ = 0;
}

void ThreadSums::add(const void *weights, const uint32_t *cells, size_t n) {
  if (filled_ + n > ADDENDS) flush();
  if (!hasScale_) choose(weights, n);
  filled_ += n;
  if (!add_(scale_, weights, cells, n, tables_)) return;
  addOthers(weights, cells, n);
  // Another scale costs a reading of the tables.
  if (others_ < tables_.stride * tables_.count) return;
  flush();
  choose(weights, n);
}

void ThreadSums::addOthers(const void *weights, const uint32_t *cells, size_t n) {
  for (size_t i = 0; i < n; i++) {
    const double weight = at(weights, i);
    if (isHeld(scale_, weight)) continue;
    others_++;
    counts[cells[i]]++;
    if (std::isfinite(weight)) sums.add(cells[i], weight);
    else infinite++;
  }
}

void ThreadSums::flush() {
  filled_ = 0;
  for (uint32_t k = 0; k < tables_.count; k++) {
    Addend *const table = tables_.first + k * tables_.stride;
    for (size_t cell = 0; cell < counts.size(); cell++) {
      const Addend of = table[cell];
      if (of.low == 0 && of.high == 0) continue;
      constexpr uint64_t HALF = uint64_t{1} << (SAMPLES_AT - 1);
      const uint64_t samples = (of.low + HALF) >> SAMPLES_AT;
      counts[cell] += samples;
      sums.add(cell, static_cast<int64_t>(of.low - (samples << SAMPLES_AT)), scale_.exponent);
      sums.add(cell, static_cast<int64_t>(of.high), scale_.exponent + static_cast<int32_t>(LOW_BITS));
      table[cell] = {};
    }
  }
}

}  // namespace polybin
