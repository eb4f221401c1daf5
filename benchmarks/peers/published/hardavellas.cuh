// The three arrangements of Hardavellas' slides.
//
//   per thread    shared memory: word = [bin][thread], 32 threads, 32 KB
//   per block     shared memory: word = [bin]
//   per bank      shared memory: word = [bin], then a tile of 32 words of samples; thread t counts the bins of bank t
//
// Bound: per thread, one warp per 32 KB; per block, atomics that meet; per bank, every thread reads all samples of a tile.
// Source: Hardavellas, Histograms: Sub-Histograms, Code overview, and Discussion with the figure after it. The slides name
// neither blocks nor threads. Each arrangement ends as in the code overview, with atomics on the counts.
#pragma once
#include "block.cuh"

namespace published {

template <class Count>
__device__ __forceinline__ void eachByteOf(uint32_t word, Count count) {
  count(word & 0xff);
  count(word >> 8 & 0xff);
  count(word >> 16 & 0xff);
  count(word >> 24);
}

/** One histogram per thread. The counts must be 0. */
__global__ void __launch_bounds__(WARP) countSlidesPerThread(const uint32_t *data, uint32_t words, uint32_t *counts) {
  clearBlock(BINS * WARP);
  uint32_t *const own = blockMemory() + threadIdx.x;
  for (uint32_t at = blockIdx.x * WARP + threadIdx.x; at < words; at += gridDim.x * WARP) {
    eachByteOf(data[at], [&](uint32_t byte) { own[byte * WARP]++; });
  }
  __syncthreads();
  for (uint32_t bin = threadIdx.x; bin < BINS; bin += WARP) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < WARP; i++) sum += blockMemory()[bin * WARP + (i + threadIdx.x) % WARP];
    atomicAdd(counts + bin, sum);
  }
}

/** One histogram per block. The counts must be 0. */
__global__ void countSlidesPerBlock(const uint32_t *data, uint32_t words, uint32_t *counts) {
  clearBlock(BINS);
  for (uint32_t at = blockIdx.x * blockDim.x + threadIdx.x; at < words; at += gridDim.x * blockDim.x) {
    eachByteOf(data[at], [](uint32_t byte) { atomicAdd(blockMemory() + byte, 1u); });
  }
  __syncthreads();
  for (uint32_t bin = threadIdx.x; bin < BINS; bin += blockDim.x) atomicAdd(counts + bin, blockMemory()[bin]);
}

/** One histogram per block, each bank of it counted by one thread. The counts must be 0. */
__global__ void __launch_bounds__(WARP) countSlidesPerBank(const uint32_t *data, uint32_t words, uint32_t *counts) {
  clearBlock(BINS);
  uint32_t *const table = blockMemory(), *const tile = table + BINS;
  const uint32_t thread = threadIdx.x;
  for (uint32_t base = blockIdx.x * WARP; base < words; base += gridDim.x * WARP) {
    const uint32_t present = min(WARP, words - base);
    if (thread < present) tile[thread] = data[base + thread];
    __syncthreads();
    for (uint32_t i = 0; i < WARP; i++) {
      const uint32_t at = (i + thread) % WARP;
      if (at >= present) continue;
      eachByteOf(tile[at], [&](uint32_t byte) {
        if (byte % WARP == thread) table[byte]++;
      });
    }
    __syncthreads();
  }
  for (uint32_t bin = thread; bin < BINS; bin += WARP) atomicAdd(counts + bin, table[bin]);
}

}  // namespace published
