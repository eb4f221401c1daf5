// Loads and shared atomics that CUDA C++ cannot express in the required form. On the host they are plain C++
// (test/emulated).
#pragma once
#include <cstdint>
#include <cstring>

#include "sums.cuh"

namespace polybin {

/** Loads 4, 8 or 16 bytes that are read once, in the order of the source. They do not occupy the first-level cache. */
template <uint32_t words>
__device__ __forceinline__ void loadOnce(uint32_t (&to)[words], const void *from) {
  static_assert(words == 1 || words == 2 || words == 4);
#ifndef __CUDACC__
  std::memcpy(to, from, sizeof to);
#else
  if constexpr (words == 1) {
    asm volatile("ld.global.nc.L1::no_allocate.u32 %0, [%1];" : "=r"(to[0]) : "l"(from));
  } else if constexpr (words == 2) {
    asm volatile("ld.global.nc.L1::no_allocate.v2.u32 {%0, %1}, [%2];" : "=r"(to[0]), "=r"(to[1]) : "l"(from));
  } else {
    asm volatile("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "l"(from));
  }
#endif
}

/** Loads 16 bytes through the first-level cache, in the order of the source. */
__device__ __forceinline__ void loadFour(int32_t *to, const int32_t *from) {
#ifndef __CUDACC__
  std::memcpy(to, from, 4 * sizeof *to);
#else
  asm volatile("ld.global.nc.v4.s32 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "l"(from));
#endif
}

/** Returns the cycles of this multiprocessor. The host's pass of the compiler does not declare clock64. */
__device__ __forceinline__ long long cyclesNow() {
#ifndef __CUDACC__
  return clock64();
#else
  long long cycles;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(cycles));
  return cycles;
#endif
}

// Words of shared memory have addresses of 32 bits. A compiler that sees an atomicAdd does not move loads past it, but
// it moves loads past these.

__device__ __forceinline__ uint32_t sharedAddress(const uint32_t *word) {
#ifndef __CUDACC__
  return static_cast<uint32_t>((word - sharedWords()) * sizeof(uint32_t));
#else
  return static_cast<uint32_t>(__cvta_generic_to_shared(word));
#endif
}

/** @return the previous value */
__device__ __forceinline__ uint32_t fetchAdd(uint32_t word, uint32_t amount) {
#ifndef __CUDACC__
  return atomicAdd(sharedWords() + word / sizeof(uint32_t), amount);
#else
  uint32_t before;
  asm volatile("atom.shared.add.u32 %0, [%1], %2;" : "=r"(before) : "r"(word), "r"(amount));
  return before;
#endif
}

/** Reads a word that others change. */
__device__ __forceinline__ uint32_t readNow(uint32_t word) {
#ifndef __CUDACC__
  return sharedWords()[word / sizeof(uint32_t)];
#else
  uint32_t now;
  asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(now) : "r"(word) : "memory");
  return now;
#endif
}

__device__ __forceinline__ void addTo(uint32_t word, uint32_t amount) {
#ifndef __CUDACC__
  fetchAdd(word, amount);
#else
  asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(word), "r"(amount));
#endif
}

/** Adds 1. Lanes of a warp that meet in a word take one step together, in contrast to other amounts. */
__device__ __forceinline__ void addOneTo(uint32_t word) {
#ifndef __CUDACC__
  fetchAdd(word, 1);
#else
  asm volatile("red.shared.add.u32 [%0], 1;" ::"r"(word));
#endif
}

__device__ __forceinline__ void addIf(bool yes, uint32_t word, uint32_t amount) {
#ifndef __CUDACC__
  if (yes) fetchAdd(word, amount);
#else
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p red.shared.add.u32 [%0], %1; }" ::"r"(word), "r"(amount),
               "r"(static_cast<uint32_t>(yes)));
#endif
}

}  // namespace polybin
