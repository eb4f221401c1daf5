// Nugteren's method: a histogram per thread of 16-bit counters, two in a word, and one warp per block.
//
//   shared memory:  word = [bin / 2][thread], the counters of two bins in one word; 128 x 32 words, 16 KB
//
// Bound: latency, because one warp per block waits for each of its additions. A counter holds 65,535, so a thread may get
// no more bytes than that.
// Source: Brown & Snoeyink 2012, sections 4.2 and 6.3, which describe it without a listing: coalesced loads, all of a
// thread's bytes one after the other, no unrolling, then sums of the threads' histograms and a second kernel. Six
// instructions per byte (Table 1) leave no room for a load per byte, so a load is a word. Nugteren's own paper is not
// among the sources.
#pragma once
#include "block.cuh"

namespace published {

constexpr uint32_t NUGTEREN_WORDS = BINS / 2 * WARP, NUGTEREN_MOST = 65535;

__device__ __forceinline__ void binHalf(uint32_t *own, uint32_t byte) { own[(byte >> 1) * WARP] += 1u << 16 * (byte & 1); }

/** `partial` is [block][bin]. `bytes`: whether a load is a byte. */
template <bool bytes>
__global__ void __launch_bounds__(WARP) countNugteren(const uint32_t *data, uint32_t words, uint32_t *partial) {
  clearBlock(NUGTEREN_WORDS);
  uint32_t *const own = blockMemory() + threadIdx.x;
  const uint32_t step = gridDim.x * WARP, first = blockIdx.x * WARP + threadIdx.x;
  if constexpr (bytes) {
    const uint8_t *const each = reinterpret_cast<const uint8_t *>(data);
#pragma unroll 1
    for (uint32_t at = first; at < 4 * words; at += step) binHalf(own, each[at]);
  } else {
#pragma unroll 1
    for (uint32_t at = first; at < words; at += step) {
      const uint32_t word = data[at];
      binHalf(own, word & 0xff);
      binHalf(own, word >> 8 & 0xff);
      binHalf(own, word >> 16 & 0xff);
      binHalf(own, word >> 24);
    }
  }
  __syncthreads();
  for (uint32_t row = threadIdx.x; row < BINS / 2; row += WARP) {
    uint32_t even = 0, odd = 0;
    for (uint32_t i = 0; i < WARP; i++) {
      const uint32_t pair = blockMemory()[row * WARP + (i + threadIdx.x) % WARP];
      even += pair & 0xffff;
      odd += pair >> 16;
    }
    partial[blockIdx.x * BINS + 2 * row] = even;
    partial[blockIdx.x * BINS + 2 * row + 1] = odd;
  }
}

}  // namespace published
