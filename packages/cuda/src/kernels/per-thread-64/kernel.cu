// A byte counter for each thread and each of up to 64 bins.
//
//   shared memory:  byte = [bin][column], column = swizzled thread
//                   thread bits [5:4][3:0] -> column bits [3:0][5:4], so bank = column / 4 = thread % 16, + 16
//                   in the odd rows if a row is no multiple of 32 words
//
// Bound: the range of a byte, 63 words per thread. The plan has enough blocks for that.
// Source: Podlozhnyuk 2009, Implementation of oclHistogram64, Figures 1 and 2.
#include "generated/kernels/per-thread-64.cuh"
#include "kernels/codes.cuh"

namespace polybin {
namespace {

/** Bits [5:4] become [1:0], and bits [3:0] become [5:2]: a bijection on each group of 64 threads. */
__device__ uint32_t swizzle(uint32_t thread) {
  return (thread & ~63u) | (thread & 15u) << 2 | (thread & 48u) >> 4;
}

/** 8-bit samples also arrive as 32-bit codes, because raw ones have more cells than this kernel counts. */
__global__ void __launch_bounds__(PER_THREAD_64_THREADS) countPerThread64(Pass pass) {
  uint32_t *const shared = sharedWords();
  const uint32_t wordsARow = blockDim.x / WORD_BYTES;
  clearShared(pass.cells * wordsARow);

  uint8_t *const column = reinterpret_cast<uint8_t *>(shared) + swizzle(threadIdx.x);
  eachCode<false>(pass, [&](uint32_t bin) { column[bin * blockDim.x]++; });
  __syncthreads();

  // Thread t adds up row t. It begins one word further than its neighbour, so that their banks differ.
  const uint32_t bin = threadIdx.x;
  if (bin >= pass.cells) return;
  uint32_t sum = 0;
  uint32_t at = bin % (WARP_THREADS / 2);
  for (uint32_t i = 0; i < wordsARow; i++) {
    sum = __dp4a(shared[bin * wordsARow + at], 0x01010101u, sum);
    at = at + 1 == wordsARow ? 0 : at + 1;
  }
  addSum(pass, bin, sum, true);
}

}  // namespace

cudaError_t perThread64(const Codes &codes, const Plan &plan, cudaStream_t stream) {
  return launchPasses(countPerThread64, codes, plan, stream);
}

}  // namespace polybin
