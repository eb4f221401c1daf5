// A block's shared memory, and the second kernels that add the blocks' histograms up.
#pragma once
#include <cstdint>

#include <cuda_runtime.h>

namespace polybin {

/** Returns a block's dynamic shared memory. It has this namespace because the emulated CUDA keeps it there. */
__device__ inline uint32_t *blockMemory() {
  extern __shared__ uint4 memory[];
  return reinterpret_cast<uint32_t *>(memory);
}

}  // namespace polybin

namespace published {

using polybin::blockMemory;

constexpr uint32_t BINS = 256, WARP = 32;

/** Clears shared words with all threads of the block. Ends with a barrier. */
__device__ inline void clearBlock(uint32_t words) {
  for (uint32_t i = threadIdx.x; i < words; i += blockDim.x) blockMemory()[i] = 0;
  __syncthreads();
}

/** TRISH's BlockSum: one block, a thread per bin, one block's histogram after the other. */
__global__ void __launch_bounds__(BINS) sumInOneBlock(const uint32_t *partial, uint32_t blocks, uint32_t *counts) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < blocks; i++) sum += partial[i * BINS + threadIdx.x];
  counts[threadIdx.x] = sum;
}

constexpr uint32_t MERGE_THREADS = 256;

/** Podlozhnyuk's mergeHistogram64 and mergeHistogram256: one block per bin, whose loads lie apart. */
__global__ void __launch_bounds__(MERGE_THREADS) sumInBlocks(const uint32_t *partial, uint32_t blocks, uint32_t *counts) {
  uint32_t *const sums = blockMemory();
  uint32_t sum = 0;
  for (uint32_t i = threadIdx.x; i < blocks; i += MERGE_THREADS) sum += partial[i * gridDim.x + blockIdx.x];
  sums[threadIdx.x] = sum;
  for (uint32_t half = MERGE_THREADS / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  if (threadIdx.x == 0) counts[blockIdx.x] = sums[0];
}

}  // namespace published
