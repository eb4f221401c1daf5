// Podlozhnyuk's oclHistogram64 and oclHistogram256, with and without the tricks that he describes.
//
//   histogram64     shared memory: byte = [bin][column], one column per thread
//   histogram256    shared memory: word = [warp][bin], [ lane : 5 | count : 27 ] with the tag, a count with atomics
//
// Bound: 64: the range of a byte, 63 words per thread. 256: lanes that meet in a bin, or in a bank.
// Source: Podlozhnyuk 2009, Figures 1 to 3 and Listing 3. Warps are not in lock-step since Volta, so each step of the tag
// ends with a barrier of the warp.
#pragma once
#include "block.cuh"

namespace published {

constexpr uint32_t ALL = 0xffffffff, TAG_SHIFT = 27, COUNT_MASK = 0x07ffffff;
/** A thread's byte counters hold 255: 63 words of four samples. */
constexpr uint32_t BYTE_WORDS = 63;
constexpr uint32_t WARPS = 6;

/** How threads find their columns. */
enum class Columns {
  /** Column = thread: four neighbours share a bank. */
  plain,
  /** Bits [5:4] and [3:0] exchanged: 16 threads have 16 banks, as many as the GPUs of the paper had. */
  swizzled,
  /** The same idea for 32 threads and 32 banks. Rows of 128 bytes begin at the same bank. */
  ofToday,
};

template <Columns columns>
__device__ uint32_t columnOf(uint32_t thread) {
  if constexpr (columns == Columns::plain) return thread;
  if constexpr (columns == Columns::swizzled) return (thread & ~63u) | (thread & 15u) << 2 | (thread & 48u) >> 4;
  return thread % WARP * 4 + thread / WARP;
}

/** One byte counter per thread and bin, then one sum per bin. `staggered`: threads begin to sum at different banks. */
template <Columns columns, uint32_t threads, bool staggered>
__global__ void __launch_bounds__(threads) histogram64(const uint32_t *data, uint32_t words, uint32_t *partial) {
  constexpr uint32_t MOST = 64, BANKS = columns == Columns::ofToday ? 32 : 16;
  clearBlock(MOST * threads / 4);
  uint8_t *const bytes = reinterpret_cast<uint8_t *>(blockMemory());
  uint8_t *const own = bytes + columnOf<columns>(threadIdx.x);
  for (uint32_t at = blockIdx.x * threads + threadIdx.x; at < words; at += gridDim.x * threads) {
    const uint32_t word = data[at];
    own[(word >> 2 & 63) * threads]++;
    own[(word >> 10 & 63) * threads]++;
    own[(word >> 18 & 63) * threads]++;
    own[(word >> 26) * threads]++;
  }
  __syncthreads();
  const uint32_t bin = threadIdx.x;
  if (bin >= MOST) return;
  uint32_t sum = 0, at = staggered ? 4 * (bin % BANKS) : 0;
  for (uint32_t i = 0; i < threads; i++) {
    sum += bytes[bin * threads + at];
    at = at + 1 == threads ? 0 : at + 1;
  }
  partial[blockIdx.x * MOST + bin] = sum;
}

/** Adds the warps' histograms of a block. */
__device__ inline void sumWarps(uint32_t mask, uint32_t *partial) {
  __syncthreads();
  for (uint32_t bin = threadIdx.x; bin < BINS; bin += blockDim.x) {
    uint32_t sum = 0;
    for (uint32_t warp = 0; warp < WARPS; warp++) sum += blockMemory()[warp * BINS + bin] & mask;
    partial[blockIdx.x * BINS + bin] = sum;
  }
}

/** Listing 3. With `counting` it adds up rounds and samples per warp. */
template <bool counting>
__global__ void __launch_bounds__(WARPS *WARP) histogram256(const uint32_t *data, uint32_t words, uint32_t *partial,
                                                            unsigned long long *rounds) {
  clearBlock(WARPS * BINS);
  volatile uint32_t *const table = blockMemory() + threadIdx.x / WARP * BINS;
  const uint32_t tag = threadIdx.x % WARP << TAG_SHIFT, step = gridDim.x * blockDim.x;
  unsigned long long taken = 0, samples = 0;
  // The number of words is a multiple of a warp's, so all lanes of a warp make the same number of rounds.
  for (uint32_t at = blockIdx.x * blockDim.x + threadIdx.x; at < words; at += step) {
    const uint32_t word = data[at];
    for (uint32_t part = 0; part < 4; part++) {
      const uint32_t bin = word >> 8 * part & 255;
      bool pending = true;
      while (__any_sync(ALL, pending)) {
        uint32_t mine = 0;
        if (pending) mine = tag | ((table[bin] & COUNT_MASK) + 1);
        __syncwarp();
        if (pending) table[bin] = mine;
        __syncwarp();
        if (pending) pending = table[bin] != mine;
        if constexpr (counting) taken++;
      }
      if constexpr (counting) samples++;
    }
  }
  if (counting && threadIdx.x % WARP == 0) {
    atomicAdd(rounds, taken);
    atomicAdd(rounds + 1, samples);
  }
  sumWarps(COUNT_MASK, partial);
}

/** With the atomics of G10x, as Brown & Snoeyink measure it (6.1). */
__global__ void __launch_bounds__(WARPS *WARP) histogram256Atomic(const uint32_t *data, uint32_t words, uint32_t *partial) {
  clearBlock(WARPS * BINS);
  uint32_t *const table = blockMemory() + threadIdx.x / WARP * BINS;
  for (uint32_t at = blockIdx.x * blockDim.x + threadIdx.x; at < words; at += gridDim.x * blockDim.x) {
    const uint32_t word = data[at];
    atomicAdd(table + (word & 255), 1u);
    atomicAdd(table + (word >> 8 & 255), 1u);
    atomicAdd(table + (word >> 16 & 255), 1u);
    atomicAdd(table + (word >> 24), 1u);
  }
  sumWarps(ALL, partial);
}

}  // namespace published
