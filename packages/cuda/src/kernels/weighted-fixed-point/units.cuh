// The data that a thread of weighted-fixed-point loads at a time: the values, the weights and the squares of a unit of
// documents. It also has their totals.
#pragma once
#include <cstdint>

#include "generated/kernels/weighted-fixed-point.cuh"
#include "generated/limits.cuh"
#include "kernels/ptx.cuh"
#include "kernels/weighted.cuh"

namespace polybin {
namespace {

/** The most features that a block adds up side by side. */
constexpr uint32_t most = limits::FEATURES_PER_BLOCK;
/** Documents that a thread takes at a time. */
constexpr uint32_t unitSize = limits::WEIGHTED_UNIT;
constexpr uint32_t wordBytes = sizeof(uint32_t);

/** The values of the documents of a unit, as they lie in a row. */
template <ValueType type>
struct Values;

template <>
struct Values<ValueType::u4> {
  uint32_t bits[1] = {};
  /** Returns the bytes of a number of documents. */
  template <typename Number>
  static __device__ __forceinline__ Number bytesOf(Number documents) { return documents / 2; }
  __device__ __forceinline__ void load(const uint8_t *from) {
    loadOnce(bits, from);
  }
  __device__ __forceinline__ void gather(const uint8_t *row, uint32_t document, uint32_t i) {
    bits[0] |= (__ldg(row + document / 2) >> document % 2 * 4 & limits::NIBBLE_VALUES - 1) << i * 4;
  }
  __device__ __forceinline__ uint32_t value(uint32_t i) const { return bits[0] >> i * 4 & limits::NIBBLE_VALUES - 1; }
};

template <>
struct Values<ValueType::u8> {
  uint32_t bits[2] = {};
  template <typename Number>
  static __device__ __forceinline__ Number bytesOf(Number documents) { return documents; }
  __device__ __forceinline__ void load(const uint8_t *from) {
    loadOnce(bits, from);
  }
  __device__ __forceinline__ void gather(const uint8_t *row, uint32_t document, uint32_t i) {
    bits[i / 4] |= uint32_t{__ldg(row + document)} << i % 4 * 8;
  }
  __device__ __forceinline__ uint32_t value(uint32_t i) const { return bits[i / 4] >> i % 4 * 8 & limits::U8_MAX; }
};

template <>
struct Values<ValueType::u16> {
  uint32_t bits[4] = {};
  template <typename Number>
  static __device__ __forceinline__ uint64_t bytesOf(Number documents) { return documents * uint64_t{sizeof(uint16_t)}; }
  __device__ __forceinline__ void load(const uint8_t *from) {
    loadOnce(bits, from);
  }
  __device__ __forceinline__ void gather(const uint8_t *row, uint32_t document, uint32_t i) {
    const uint32_t value = __ldg(reinterpret_cast<const uint16_t *>(row) + document);
    bits[i / 2] |= value << i % 2 * 16;
  }
  __device__ __forceinline__ uint32_t value(uint32_t i) const { return bits[i / 2] >> i % 2 * 16 & limits::U16_MAX; }
};

/** Numbers of the documents of a unit: weights, squares, or the documents' indices. */
struct Numbers {
  int32_t of[unitSize];

  /** Loads the numbers of neighbouring documents. Lanes share sectors: the next load uses the rest of a line. */
  __device__ __forceinline__ void load(const int32_t *from) {
#pragma unroll
    for (uint32_t i = 0; i < unitSize; i += 4) loadFour(of + i, from + i);
  }
  __device__ __forceinline__ int32_t operator[](uint32_t i) const { return of[i]; }
};

/** Adds to a sum of two words, `upper` bytes apart. */
__device__ __forceinline__ void addWide(uint32_t word, uint32_t upper, int32_t amount) {
  const auto bits = static_cast<uint32_t>(amount);
  const uint32_t before = fetchAdd(word, bits);
  // The word wrapped, or borrowed. This is rare if all weights have one sign.
  if (amount >= 0 ? before + bits < before : before < 0u - bits) addTo(word + upper, amount >= 0 ? 1u : ~0u);
}

/** A unit in flight. */
template <ValueType type, bool squares>
struct Unit {
  Values<type> values[most];
  Numbers weights;
  Numbers squared;
};

/** The totals of a row, which is one bin of one feature. */
struct Totals {
  long long count = 0, sum = 0, square = 0;
};

}  // namespace
}  // namespace polybin
