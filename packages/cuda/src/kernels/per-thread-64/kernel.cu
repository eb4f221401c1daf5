// A byte counter for each thread and each of up to 64 bins.
//
//   shared memory:  byte = [bin][column], column = swizzled thread
//                   thread bits [6:5][4:0] -> column bits [4:0][6:5], so bank = column / 4 = lane, whatever the data
//
// A thread reads words of four codes. Raw bytes are counted by their upper six bits, 16 bytes per load. The cells of
// several columns are codes of 32 bits.
//
// Bound: per byte (as compiled for Hopper):
//   address    2     two bytes at a time: 4 shifts and LOP3s for the four of a word, and 4 to separate them
//   increment  3     LDS.U8, add 1, STS.U8
//   loop       0.6   loads of 16 bytes, issued five vectors before they are counted
// The total is about 5.6 instructions per byte. A byte holds 63 words per thread. The plan has enough blocks for that, and
// each clears and sums its 8 KiB.
// Source: Podlozhnyuk 2009, Implementation of oclHistogram64, Figures 1 and 2.
#include "generated/kernels/per-thread-64.cuh"
#include "kernels/codes.cuh"
#include "kernels/vectors.cuh"

namespace polybin {
namespace {

constexpr uint32_t THREADS = PER_THREAD_64_GROUP;
/** Vectors that load while others are counted. Three such batches are 60 of a thread's 63 words. */
constexpr uint32_t AHEAD = 5;
/** The shift of raw bytes. */
constexpr uint32_t UPPER_SIX = 2;

// A thread counts 63 words, and one byte more after the last whole word.
static_assert(PER_THREAD_64_WORDS * WORD_BYTES + 1 <= U8_MAX);
static_assert(THREADS == 128 && PER_THREAD_64_BINS == 64, "the addresses' bits have the layout drawn above");

/** A bijection: the lane becomes the word, and the warp becomes the byte. */
__device__ uint32_t swizzled() {
  return threadIdx.x % WARP_THREADS * WORD_BYTES + threadIdx.x / WARP_THREADS;
}

__device__ void incrementAt(uint32_t address) { ++reinterpret_cast<uint8_t *>(sharedWords())[address]; }

/**
 * Counts the upper six bits of a word's bytes. The addresses of bytes 0 and 2, then of 1 and 3, are computed together in
 * 16 bits each:
 *   address = [ 0 : 3 | row = byte / 4 : 6 | column : 7 ]
 */
__device__ void countWord(uint32_t word, uint32_t columns) {
  const uint32_t even = (word << 5 & 0x1f801f80) | columns;
  const uint32_t odd = (word >> 3 & 0x1f801f80) | columns;
  incrementAt(even & U16_MAX);
  incrementAt(odd & U16_MAX);
  incrementAt(even >> 16);
  incrementAt(odd >> 16);
}

template <bool bytes>
__global__ void __launch_bounds__(THREADS) countPerThread64(Pass pass, uint32_t shift) {
  clearShared(pass.cells * THREADS / WORD_BYTES);
  const uint32_t column = swizzled();
  const auto countOne = [&](uint32_t code) {
    const uint32_t bin = code >> shift;
    if (bin < pass.cells) incrementAt(bin * THREADS + column);
  };
  const bool isUpperSix = bytes && pass.cells == PER_THREAD_64_BINS && shift == UPPER_SIX;
  if (isUpperSix) {
    const uint32_t columns = column | column << 16;
    eachByteWord<uint4, AHEAD>(pass, [](uint32_t) {}, [&](uint32_t word) { countWord(word, columns); }, countOne);
  } else {
    eachWord<bytes>(pass, [&](const Word &word) {
      for (uint32_t code : word.code) countOne(code);
    });
  }
  __syncthreads();

  // Thread t adds up row t. It begins one word further than its neighbour, so that their banks differ.
  const uint32_t bin = threadIdx.x;
  if (bin >= pass.cells) return;
  uint32_t sum = 0;
  for (uint32_t i = 0; i < WARP_THREADS; i++) {
    sum = __dp4a(sharedWords()[bin * WARP_THREADS + (bin + i) % WARP_THREADS], 0x01010101u, sum);
  }
  addSum(pass, bin, sum, true);
}

}  // namespace

cudaError_t perThread64(const Codes &codes, const Plan &plan, cudaStream_t stream) {
  return launchPasses(codes.bytes ? countPerThread64<true> : countPerThread64<false>, codes, plan, stream, codes.shift);
}

}  // namespace polybin
