// TRISH's Count kernel: a histogram per thread of 8-bit counters, four in a word, and the block's histogram in registers.
//
//   shared memory:  word = [bin / 4][thread], the counters of four bins in one word; 64 x 64 words, 16 KB
//   registers:      thread t holds the block's counts of the bins 4t … 4t + 3
//
//   a row of work:  [block][step of k][thread], one word each; a thread reads four words, then bins these
//
// Bound: latency of shared memory. A counter holds 255, so after at most 63 words all threads sum rows. Each begins at its
// own column, so that banks differ.
// Source: Brown & Snoeyink 2012, sections 5.1 to 5.5 and Figures 2, 3 and 5; their program has the same shape. There the
// grid is a constant of the compiler.
#pragma once
#include "block.cuh"

namespace published {

/** How row sums add the counters of a word (5.3), or not at all between the words (6.2), so that counters wrap around. */
enum class Rows { pairs,
                  singles,
                  none };

constexpr uint32_t TRISH_THREADS = 64, TRISH_WORDS = TRISH_THREADS * BINS / 4;

/** Bins four bytes. Both multiplications by 64 words and both divisions by 4 are one shift for two bytes (5.3). */
__device__ __forceinline__ void binWord(uint32_t *own, uint32_t word) {
  constexpr uint32_t ROWS = 0x0fc00fc0, COLUMNS = 0x03030303;
  const uint32_t even = word << 4 & ROWS, odd = word >> 4 & ROWS, shifts = (word & COLUMNS) << 3;
  own[odd >> 16] += 1u << (shifts >> 24);
  own[even >> 16] += 1u << (shifts >> 16 & 0xff);
  own[odd & 0xffff] += 1u << (shifts >> 8 & 0xff);
  own[even & 0xffff] += 1u << (shifts & 0xff);
}

/** Reads and bins `many` words, in batches of four (5.2). */
template <uint32_t many, class Read>
__device__ __forceinline__ void binBatches(uint32_t *own, Read read) {
#pragma unroll
  for (uint32_t first = 0; first < many; first += 4) {
    uint32_t word[4];
#pragma unroll
    for (uint32_t i = 0; i < 4; i++) {
      if (first + i < many) word[i] = read(first + i);
    }
#pragma unroll
    for (uint32_t i = 0; i < 4; i++) {
      if (first + i < many) binWord(own, word[i]);
    }
  }
}

/** Adds the threads' counters of this thread's bins to its counts, and clears them. There are barriers on both sides. */
template <Rows rows>
__device__ __forceinline__ void sumRows(uint32_t (&counts)[4]) {
  uint32_t *const row = blockMemory() + threadIdx.x * TRISH_THREADS;
  uint32_t even = 0, odd = 0;
  __syncthreads();
#pragma unroll
  for (uint32_t first = 0; first < TRISH_THREADS; first += 4) {
    uint32_t quad[4];
#pragma unroll
    for (uint32_t i = 0; i < 4; i++) quad[i] = row[(threadIdx.x + first + i) % TRISH_THREADS];
#pragma unroll
    for (uint32_t i = 0; i < 4; i++) row[(threadIdx.x + first + i) % TRISH_THREADS] = 0;
#pragma unroll
    for (uint32_t i = 0; i < 4; i++) {
      if constexpr (rows == Rows::singles) {
        for (uint32_t slot = 0; slot < 4; slot++) counts[slot] += quad[i] >> 8 * slot & 0xff;
      } else {
        even += quad[i] & 0x00ff00ff;
        odd += quad[i] >> 8 & 0x00ff00ff;
      }
    }
  }
  if constexpr (rows != Rows::singles) {
    counts[0] += even & 0xffff;
    counts[1] += odd & 0xffff;
    counts[2] += even >> 16;
    counts[3] += odd >> 16;
  }
  __syncthreads();
}

/** Bins the last row's words that every thread has: 32, 16, 8, 4, 2 and 1 at a time, without a check of each. */
template <uint32_t most, uint32_t many>
__device__ __forceinline__ void binHalves(uint32_t *own, const uint32_t *&from, uint32_t &left) {
  if constexpr (many > 0) {
    const uint32_t step = gridDim.x * TRISH_THREADS;
    if (most >= many && left >= many * step) {
      binBatches<many>(own, [&](uint32_t i) { return from[i * step]; });
      from += many * step;
      left -= many * step;
    }
    binHalves<most, many / 2>(own, from, left);
  }
}

/** `partial` is [block][bin]. */
template <uint32_t k, Rows rows>
__global__ void __launch_bounds__(TRISH_THREADS) countTrish(const uint32_t *data, uint32_t words, uint32_t *partial) {
  static_assert(k >= 1 && k <= 63);
  /** With as many bytes in the counters, another k words could overflow one. */
  constexpr uint32_t FULL = 256 - 4 * k;
  const uint32_t thread = threadIdx.x;
  uint32_t *const own = blockMemory() + thread;
#pragma unroll
  for (uint32_t i = 0; i < TRISH_WORDS; i += TRISH_THREADS) own[i] = 0;
  __syncthreads();
  uint32_t counts[4] = {}, binned = 0;
  const auto makeRoom = [&] {
    if (rows == Rows::none || binned < FULL) return;
    sumRows<rows>(counts);
    binned = 0;
  };
  const uint32_t rowWords = k * TRISH_THREADS * gridDim.x, whole = words / rowWords;
  const uint32_t *from = data + blockIdx.x * k * TRISH_THREADS + thread;
  for (uint32_t row = 0; row < whole; row++, from += rowWords) {
    makeRoom();
    binBatches<k>(own, [&](uint32_t i) { return from[i * TRISH_THREADS]; });
    binned += 4 * k;
  }
  uint32_t left = words - whole * rowWords;
  if (left > 0) {
    makeRoom();
    from = data + whole * rowWords + blockIdx.x * TRISH_THREADS + thread;
    binHalves<k, 32>(own, from, left);
    if (left > 0 && from < data + words) binWord(own, *from);
    binned += 4 * k;
  }
  if (binned > 0) sumRows<rows>(counts);
  // Through shared memory, with a word of padding per bank row, so that the block writes whole rows.
  uint32_t *const table = blockMemory();
  for (uint32_t slot = 0; slot < 4; slot++) {
    const uint32_t bin = 4 * thread + slot;
    table[bin + bin / WARP] = counts[slot];
  }
  __syncthreads();
  for (uint32_t bin = thread; bin < BINS; bin += TRISH_THREADS) partial[blockIdx.x * BINS + bin] = table[bin + bin / WARP];
}

}  // namespace published
