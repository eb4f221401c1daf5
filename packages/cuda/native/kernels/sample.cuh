// Samples as they lie in memory: vectors of 16 bytes, and the bits of each sample in them.
#pragma once
#include <cstdint>
#include <type_traits>

namespace polybin {

/** The unsigned integer of this number of bytes. */
template <size_t bytes>
using BitsOf = std::conditional_t<bytes == 8, uint64_t,
                                  std::conditional_t<bytes == 4, uint32_t, std::conditional_t<bytes == 2, uint16_t, uint8_t>>>;

/** Samples of a 16-byte vector. */
template <typename Bits>
constexpr uint32_t perVector = sizeof(uint4) / sizeof(Bits);

/** The sign of a signed integer: the high bit of its width. It is 0 for 64-bit samples, which are floats. */
template <typename Bits>
constexpr uint32_t signBit = sizeof(Bits) > sizeof(uint32_t) ? 0 : static_cast<uint32_t>(uint64_t{1} << (8 * sizeof(Bits) - 1));

/** Loads samples past the first-level cache, because they are read once. */
__device__ __forceinline__ uint4 streamed(const uint4 *at) {
#ifndef __CUDACC__
  return *at;
#else
  uint4 v;
  asm volatile("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "l"(at));
  return v;
#endif
}

/** Returns the bits of sample i of a vector. i must be known at compile time, so that the vector stays in registers. */
template <typename Bits>
__device__ __forceinline__ Bits sampleOf(const uint4 &v, uint32_t i) {
  const uint32_t bit = i * 8 * sizeof(Bits) % 32;
  const uint32_t at = i * sizeof(Bits) / 4;
  const uint32_t word = at == 0 ? v.x : (at == 1 ? v.y : (at == 2 ? v.z : v.w));
  if constexpr (sizeof(Bits) == 8) return word | static_cast<uint64_t>(at == 0 ? v.y : v.w) << 32;
  else return static_cast<Bits>(word >> bit);
}

}  // namespace polybin
