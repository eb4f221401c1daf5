// One histogram per thread, with two 16-bit counters per word.
//
//   shared memory:  word = [row = cell / 2][column = thread = bank], [ cell 2r + 1 | cell 2r ]
//
// Bound: one warp per block, and few blocks per multiprocessor. Per byte (as compiled for Hopper):
//   address    3     two bytes at a time: 8 shifts and LOP3s for the four of a word, and 4 to separate them
//   increment  3     LDS.U16, add 1, STS.U16: a 16-bit access needs no shifted 1
//   loop       0.9   loads of 16 bytes, issued four vectors before they are counted
// The loop takes about 6.9 instructions per byte. ncu counts 8.5 for a whole call of 2^26 bytes, and the paper's Table 1
// 6.1. The columns are summed after wordsPerThread words, before 16 bits could overflow.
// Source: Nugteren et al. 2011, as described by Brown & Snoeyink 2012, section 4.2.
#include "generated/kernels/per-thread.cuh"
#include "kernels/codes.cuh"
#include "kernels/vectors.cuh"

namespace polybin {
namespace {

constexpr uint32_t COLUMNS = PER_THREAD_THREADS;
constexpr uint32_t PER_WORD = 2;
constexpr uint32_t HALF_BITS = 16;
/** Vectors that load while others are counted. A multiprocessor has few of these blocks, so each loads more. */
constexpr uint32_t AHEAD = 4;

__device__ void incrementAt(uint32_t address) {
  ++*reinterpret_cast<uint16_t *>(reinterpret_cast<uint8_t *>(sharedWords()) + address);
}

/**
 * Counts a word of bytes. The addresses of bytes 0 and 2, then of 1 and 3, are computed together in 16 bits each:
 *   address = [ row = byte / 2 : 7 | column : 5 | byte % 2 : 1 | 0 : 1 ]
 */
__device__ void countWord(uint32_t word, uint32_t columns) {
  const uint32_t even = (word << 6 & 0x3f803f80) | (word << 1 & 0x00020002) | columns;
  const uint32_t odd = (word >> 2 & 0x3f803f80) | (word >> 7 & 0x00020002) | columns;
  incrementAt(even & U16_MAX);
  incrementAt(odd & U16_MAX);
  incrementAt(even >> HALF_BITS);
  incrementAt(odd >> HALF_BITS);
}

/**
 * Thread t sums rows t, t + 32 … and clears them. It starts at column t, so that no two threads meet in a bank. It is
 * not inlined, because its unrolled loop would lie several times within the loops that count.
 */
__device__ __noinline__ void sumRows(const Pass &pass, uint32_t rows, bool isFirst) {
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
  uint32_t binned = 0;
  bool isFirst = true;
  const auto makeRoom = [&](uint32_t words) {
    if (binned + words > wordsPerThread) {
      sumRows(pass, rows, isFirst);
      isFirst = false;
      binned = 0;
    }
    binned += words;
  };
  uint32_t *const column = sharedWords() + threadIdx.x;
  const auto countOne = [&](uint32_t cell) { column[cell / PER_WORD * COLUMNS] += 1u << (cell % PER_WORD * HALF_BITS); };
  if (bytes && pass.cells == BYTE_VALUES) {
    const uint32_t columns = threadIdx.x * (WORD_BYTES | WORD_BYTES << HALF_BITS);
    eachByteWord<uint4, AHEAD>(pass, makeRoom, [&](uint32_t word) { countWord(word, columns); }, countOne);
  } else {
    eachWord<bytes>(pass, [&](const Word &word) {
      makeRoom(1);
      for (uint32_t code : word.code) {
        if (code < pass.cells) countOne(code);
      }
    });
  }
  sumRows(pass, rows, isFirst);
}

}  // namespace

cudaError_t perThread(const Codes &codes, const Plan &plan, cudaStream_t stream) {
  return launchPasses(codes.bytes ? countPerThread<true> : countPerThread<false>, codes, plan, stream,
                      plan.wordsPerThread);
}

}  // namespace polybin
