// Adds weights to cells. Each of addends-*.cc compiles this loop for one set of instructions. All names are local to the
// file, because a linker may keep only one of several equal names.
//
// Adding ROUND rounds to a whole number, whose bits are then the lowest of the sum. Every other operation is exact for
// a weight that the scale holds, so a compiler may contract them. For any other weight, the comparison of the remainder
// or of the size fails, and the sample adds nothing.
//
// Bound: the load, addition and store of a cell, next to the vector operations of other samples.
// Source: polybin.
#include <cstring>

#include "addends.h"

namespace polybin {
namespace {

#if defined(__AVX512F__)
constexpr size_t BYTES = 64;
#elif defined(__AVX2__)
constexpr size_t BYTES = 32;
#else
constexpr size_t BYTES = 16;
#endif
/** Weights that are converted together, and samples of a round: one for each table at least. */
constexpr size_t LANES = BYTES / sizeof(double), ROUNDS = 8;

typedef double Doubles __attribute__((vector_size(BYTES)));
typedef int64_t Words __attribute__((vector_size(BYTES)));
typedef uint64_t Pair __attribute__((vector_size(16), may_alias));
template <typename W>
struct Vector {
  typedef W type __attribute__((vector_size(LANES * sizeof(W))));
};

constexpr double ROUND = 6755399441055744.0;
constexpr int64_t ROUND_BITS = 0x4338000000000000, SAMPLE = int64_t{1} << SAMPLES_AT;
constexpr double MOST_HIGH = static_cast<double>(uint64_t{1} << HIGH_BITS);

inline Words bitsOf(Doubles of) { return reinterpret_cast<Words>(of); }

/** The low and high words of each lane, side by side. */
inline void store(Words low, Words high, Addend *to) {
#if defined(__AVX512F__)
  const Words first = __builtin_shufflevector(low, high, 0, 8, 1, 9, 2, 10, 3, 11);
  const Words second = __builtin_shufflevector(low, high, 4, 12, 5, 13, 6, 14, 7, 15);
#elif defined(__AVX2__)
  const Words first = __builtin_shufflevector(low, high, 0, 4, 1, 5);
  const Words second = __builtin_shufflevector(low, high, 2, 6, 3, 7);
#else
  const Words first = __builtin_shufflevector(low, high, 0, 2);
  const Words second = __builtin_shufflevector(low, high, 1, 3);
#endif
  std::memcpy(to, &first, sizeof first);
  std::memcpy(to + LANES / 2, &second, sizeof second);
}

/** Writes what each weight adds. @returns all bits of a lane, or none where the scale does not hold the weight */
inline Words convert(const Scale &by, Doubles weights, Addend *to) {
  const Doubles rounded = weights * by.toHigh + ROUND;
  const Doubles high = rounded - ROUND;
  const Doubles rest = weights - high * by.ofHigh;
  const Doubles roundedRest = rest * by.toLow + ROUND;
  const Doubles low = roundedRest - ROUND;
  const Words held = (high <= MOST_HIGH) & (high >= -MOST_HIGH) & (low * by.ofLow == rest);
  store((bitsOf(roundedRest) + (SAMPLE - ROUND_BITS)) & held, (bitsOf(rounded) - ROUND_BITS) & held, to);
  return held;
}

template <typename W>
inline Words convert(const Scale &by, const char *weights, Addend *to) {
  Words held{};
  held = ~held;
  for (size_t i = 0; i < ROUNDS; i += LANES) {
    typename Vector<W>::type some;
    std::memcpy(&some, weights + i * sizeof(W), sizeof some);
    held &= convert(by, __builtin_convertvector(some, Doubles), to + i);
  }
  return held;
}

template <typename W, uint32_t Tables>
bool addTo(const Scale &of, const void *weights, const uint32_t *cells, size_t n, const AddendTables &tables) {
  const Scale by = of;
  const auto *const from = static_cast<const char *>(weights);
  Addend *table[Tables];
  for (uint32_t k = 0; k < Tables; k++) table[k] = tables.first + k * tables.stride;
  const auto add = [&](uint32_t k, uint32_t cell, const Addend &one) {
    auto *const to = reinterpret_cast<Pair *>(table[k % Tables] + cell);
    *to += reinterpret_cast<const Pair &>(one);
  };
  alignas(64) Addend all[ROUNDS];
  Words held{};
  held = ~held;
  size_t i = 0;
  for (; i + ROUNDS <= n; i += ROUNDS) {
    held &= convert<W>(by, from + i * sizeof(W), all);
#pragma GCC unroll 8
    for (uint32_t k = 0; k < ROUNDS; k++) add(k, cells[i + k], all[k]);
  }
  if (i < n) {
    char last[ROUNDS * sizeof(W)] = {};
    std::memcpy(last, from + i * sizeof(W), (n - i) * sizeof(W));
    held &= convert<W>(by, last, all);
    for (uint32_t k = 0; i + k < n; k++) add(0, cells[i + k], all[k]);
  }
  int64_t every = -1;
  for (size_t lane = 0; lane < LANES; lane++) every &= held[lane];
  return every != -1;
}

template <typename W>
bool addWeights(const Scale &by, const void *weights, const uint32_t *cells, size_t n, const AddendTables &tables) {
  if (tables.count == 8) return addTo<W, 8>(by, weights, cells, n, tables);
  if (tables.count == 4) return addTo<W, 4>(by, weights, cells, n, tables);
  if (tables.count == 2) return addTo<W, 2>(by, weights, cells, n, tables);
  return addTo<W, 1>(by, weights, cells, n, tables);
}

constexpr Adding ADDING = {addWeights<float>, addWeights<double>};

}  // namespace
}  // namespace polybin
