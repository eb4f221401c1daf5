// One histogram per thread, with two 16-bit counters per word.
//
//   shared memory:  word = [row = cell / 2][column = thread = bank], [ cell 2r + 1 | cell 2r ]
//
// Bound: one warp per block, and few blocks per multiprocessor. The columns are summed after wordsPerThread words,
// before 16 bits could overflow.
// Source: Nugteren et al. 2011, as described by Brown & Snoeyink 2012, section 4.2.
#include "generated/kernels/per-thread.cuh"
#include "kernels/codes.cuh"

namespace polybin {
namespace {

constexpr uint32_t COLUMNS = PER_THREAD_THREADS;
constexpr uint32_t PER_WORD = 2;
constexpr uint32_t HALF_BITS = 16;

/** Thread t sums rows t, t + 32 … and clears them. It starts at column t, so that no two threads meet in a bank. */
__device__ void sumRows(const Pass &pass, uint32_t rows, bool isFirst) {
  __syncthreads();
  for (uint32_t row = threadIdx.x; row < rows; row += COLUMNS) {
    uint32_t low = 0, high = 0;
    for (uint32_t i = 0; i < COLUMNS; i++) {
      uint32_t &word = sharedWords()[row * COLUMNS + (threadIdx.x + i) % COLUMNS];
      low += word & U16_MAX;
      high += word >> HALF_BITS;
      word = 0;
    }
    // If the number of cells is odd, the last row's high half is no cell.
    addSum(pass, row * PER_WORD, low, isFirst);
    addSum(pass, row * PER_WORD + 1, high, isFirst);
  }
  __syncthreads();
}

template <bool bytes>
__global__ void __launch_bounds__(PER_THREAD_THREADS) countPerThread(Pass pass, uint32_t wordsPerThread) {
  const uint32_t rows = (pass.cells + PER_WORD - 1) / PER_WORD;
  clearShared(rows * COLUMNS);
  uint32_t *const column = sharedWords() + threadIdx.x;
  uint32_t binned = 0;
  bool isFirst = true;
  eachWord<bytes>(pass, [&](const Word &word) {
    if (binned == wordsPerThread) {
      sumRows(pass, rows, isFirst);
      isFirst = false;
      binned = 0;
    }
    binned++;
    for (uint32_t code : word.code) {
      if (code < pass.cells) column[code / PER_WORD * COLUMNS] += 1u << (code % PER_WORD * HALF_BITS);
    }
  });
  sumRows(pass, rows, isFirst);
}

}  // namespace

cudaError_t perThread(const Codes &codes, const Plan &plan, cudaStream_t stream) {
  return launchPasses(codes.bytes ? countPerThread<true> : countPerThread<false>, codes, plan, stream,
                      plan.wordsPerThread);
}

}  // namespace polybin
