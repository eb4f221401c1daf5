// A byte counter for each of 256 bins and each of 64 threads: 16 KB per block.
//
//   shared memory:  interleaved   word = [bin / 4][thread], the four bins of a quad in one word (Figure 6)
//                   row           byte = [thread][bin], one histogram per row                   (Figure 4)
//                   column        byte = [bin][thread], one bin per row                         (Figure 5)
//
// Bound: the range of a byte, 63 words per thread. `periodic` then merges and clears the counters. `avoid` launches
// enough blocks that no thread gets more.
// Source: The CUDA Handbook, histogram chapter: Privatized (Per Thread) Histograms, Listings 5 to 8. Its kernel
// lacks a barrier after the periodic merge, and has one in a loop that some threads leave earlier.
#include "generated/kernels/privatized.cuh"
#include "kernels/codes.cuh"

namespace polybin {
namespace {

constexpr uint32_t THREADS = PRIVATIZED_THREADS;
constexpr uint32_t BINS = PRIVATIZED_BINS;
constexpr uint32_t COUNTER_WORDS = THREADS * BINS / WORD_BYTES;

template <Layout layout>
__device__ void increment(uint32_t bin) {
  uint32_t *const words = sharedWords();
  if constexpr (layout == Layout::interleaved) {
    words[bin / WORD_BYTES * THREADS + threadIdx.x] += 1u << (bin % WORD_BYTES * 8);
  } else {
    reinterpret_cast<uint8_t *>(words)[layout == Layout::row ? threadIdx.x * BINS + bin : bin * THREADS + threadIdx.x]++;
  }
}

/** Reads a word of counters and clears it. */
__device__ uint32_t take(uint32_t at) {
  const uint32_t word = sharedWords()[at];
  sharedWords()[at] = 0;
  return word;
}

/**
 * Listing 7: thread t sums the bins 4t … 4t + 3 over all threads' counters. It starts at a place of its own, so that
 * banks differ. It adds with one atomic per bin, or to the block's partial table. There are barriers on both sides, because the counters belong to all threads.
 */
template <Layout layout>
__device__ void merge(const Pass &pass, bool isFirst) {
  const uint32_t thread = threadIdx.x;
  uint32_t sums[WORD_BYTES] = {};
  __syncthreads();
  if constexpr (layout == Layout::column) {
    // All words of a row belong to one bin.
    constexpr uint32_t ROW_WORDS = THREADS / WORD_BYTES;
    for (uint32_t i = 0; i < ROW_WORDS; i++) {
      const uint32_t at = (i + thread) % ROW_WORDS;
#pragma unroll
      for (uint32_t slot = 0; slot < WORD_BYTES; slot++) {
        sums[slot] = __dp4a(take((thread * WORD_BYTES + slot) * ROW_WORDS + at), 0x01010101u, sums[slot]);
      }
    }
  } else {
    // Pairs of 16 bits (Listing 6): the sum of 64 bytes is less than 2^16.
    static_assert(THREADS * U8_MAX <= U16_MAX);
    uint32_t even = 0, odd = 0;
    for (uint32_t i = 0; i < THREADS; i++) {
      const uint32_t other = (i + thread) % THREADS;
      const uint32_t quad = take(layout == Layout::row ? other * (BINS / WORD_BYTES) + thread : thread * THREADS + other);
      even += quad & 0x00ff00ff;
      odd += quad >> 8 & 0x00ff00ff;
    }
    sums[0] = even & U16_MAX;
    sums[1] = odd & U16_MAX;
    sums[2] = even >> 16;
    sums[3] = odd >> 16;
  }
  __syncthreads();
#pragma unroll
  for (uint32_t slot = 0; slot < WORD_BYTES; slot++) addSum(pass, thread * WORD_BYTES + slot, sums[slot], isFirst);
}

template <bool bytes, Layout layout>
__global__ void __launch_bounds__(THREADS) countPrivatized(Pass pass, bool periodic, uint32_t wordsPerThread) {
  clearShared(COUNTER_WORDS);
  uint32_t binned = 0;
  bool isFirst = true;
  eachWord<bytes>(pass, [&](const Word &word) {
    if (periodic && binned == wordsPerThread) {
      merge<layout>(pass, isFirst);
      isFirst = false;
      binned = 0;
    }
    binned++;
    for (uint32_t code : word.code) {
      if (code < pass.cells) increment<layout>(code);
    }
  });
  merge<layout>(pass, isFirst);
}

template <Layout layout>
cudaError_t launchLayout(const Codes &codes, const Plan &plan, bool periodic, cudaStream_t stream) {
  return launchPasses(codes.bytes ? countPrivatized<true, layout> : countPrivatized<false, layout>, codes, plan,
                      stream, periodic, plan.wordsPerThread);
}

}  // namespace

cudaError_t privatized(const Codes &codes, const Plan &plan, const Privatized &own, cudaStream_t stream) {
  switch (own.layout) {
    case Layout::row: return launchLayout<Layout::row>(codes, plan, own.periodic, stream);
    case Layout::column: return launchLayout<Layout::column>(codes, plan, own.periodic, stream);
    default: return launchLayout<Layout::interleaved>(codes, plan, own.periodic, stream);
  }
}

}  // namespace polybin
