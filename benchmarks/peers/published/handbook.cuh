// The CUDA Handbook's histograms.
//
//   per grid     global memory: word = [bin]
//   per block    shared memory: word = [bin], also turned by the block's number
//   per thread   shared memory: a counter of 8 bits per bin and thread
//                row           byte = [thread][bin]                                        (Figure 4)
//                column        byte = [bin][thread]                                        (Figure 5)
//                interleaved   word = [bin / 4][thread], the counters of four bins a word  (Figure 6)
//
// Bound: per grid and per block, atomics that meet; per thread, shared memory for 64 threads, and 255 per counter. `avoid`
// launches so many blocks that no thread gets more; `periodic` merges after 63 words; `check` looks at every counter that
// it increments, and adds 256 to shared or global memory with an atomic when one wraps around.
// Source: The CUDA Handbook, histogram chapter, Listings 5 to 8; its program has the same shapes and launches. Two
// mistakes are mended, because they give wrong counts or undefined barriers: a barrier follows the periodic merge, and all
// threads of a block take the same number of steps. The merges of Figures 4 and 5 are not in the text, nor is
// the code of the overflow check.
#pragma once
#include "block.cuh"

namespace published {

/** Calls `each` with four bytes, or with one, of every word that is this thread's. */
template <bool words, class Each>
__device__ __forceinline__ void eachByte(const uint32_t *data, uint32_t count, Each each) {
  const uint32_t first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
  if constexpr (words) {
    for (uint32_t at = first; at < count; at += step) {
      uint32_t value = data[at];
      each(value & 0xff);
      value >>= 8;
      each(value & 0xff);
      value >>= 8;
      each(value & 0xff);
      value >>= 8;
      each(value);
    }
  } else {
    const uint8_t *const bytes = reinterpret_cast<const uint8_t *>(data);
    for (uint32_t at = first; at < 4 * count; at += step) each(bytes[at]);
  }
}

/** One Global Histogram. The counts must be 0. */
__global__ void countPerGrid(const uint32_t *data, uint32_t words, uint32_t *counts) {
  eachByte<true>(data, words, [&](uint32_t byte) { atomicAdd(counts + byte, 1u); });
}

/** Where a block has a bin. `turned`: so that blocks with equal data do not meet in the same addresses. */
template <bool turned>
__device__ __forceinline__ uint32_t placeOf(uint32_t bin) {
  return turned ? (bin + blockIdx.x) & 0xff : bin;
}

template <bool words, bool turned>
__device__ __forceinline__ void countInBlock(const uint32_t *data, uint32_t count) {
  clearBlock(BINS);
  eachByte<words>(data, count, [&](uint32_t byte) { atomicAdd(blockMemory() + placeOf<turned>(byte), 1u); });
  __syncthreads();
}

/** Per-Block Histograms, added to the counts with atomics. The counts must be 0. */
template <bool words, bool turned>
__global__ void countPerBlock(const uint32_t *data, uint32_t count, uint32_t *counts) {
  countInBlock<words, turned>(data, count);
  for (uint32_t bin = threadIdx.x; bin < BINS; bin += blockDim.x) atomicAdd(counts + bin, blockMemory()[placeOf<turned>(bin)]);
}

/** The same with a second kernel, sumInOneBlock. `partial` is [block][bin]. */
template <bool turned>
__global__ void countPerBlockReduce(const uint32_t *data, uint32_t count, uint32_t *partial) {
  countInBlock<true, turned>(data, count);
  for (uint32_t bin = threadIdx.x; bin < BINS; bin += blockDim.x) {
    partial[blockIdx.x * BINS + bin] = blockMemory()[placeOf<turned>(bin)];
  }
}

enum class Layout { row,
                    column,
                    interleaved };

/** Listing 5, and the same for Figures 4 and 5. */
template <Layout layout, uint32_t threads>
__device__ __forceinline__ void increment(uint32_t bin) {
  if constexpr (layout == Layout::interleaved) {
    blockMemory()[(bin >> 2) * threads + threadIdx.x] += 1u << 8 * (bin & 3);
  } else {
    uint8_t *const bytes = reinterpret_cast<uint8_t *>(blockMemory());
    bytes[layout == Layout::row ? threadIdx.x * BINS + bin : bin * threads + threadIdx.x]++;
  }
}

/** The sums of four counters over all threads, in pairs (Listing 6). */
struct Pairs {
  uint32_t even = 0, odd = 0;

  __device__ __forceinline__ void add(uint32_t *quad, bool clear) {
    const uint32_t counters = *quad;
    if (clear) *quad = 0;
    even += counters & 0x00ff00ff;
    odd += counters >> 8 & 0x00ff00ff;
  }
};

/** Listing 7, and the same for the other layouts: a thread sums the bins 4 row … 4 row + 3 and adds them to the counts. */
template <Layout layout, uint32_t threads>
__device__ __forceinline__ void mergeRow(uint32_t row, bool clear, uint32_t *counts) {
  uint32_t *const memory = blockMemory();
  if constexpr (layout == Layout::column) {
    // All bytes of a word are one bin's.
    constexpr uint32_t ROW = threads / 4;
    for (uint32_t slot = 0; slot < 4; slot++) {
      Pairs of;
      const uint32_t bin = 4 * row + slot;
      for (uint32_t i = 0; i < ROW; i++) of.add(memory + bin * ROW + (i + threadIdx.x) % ROW, clear);
      atomicAdd(counts + bin, (of.even & 0xffff) + (of.even >> 16) + (of.odd & 0xffff) + (of.odd >> 16));
    }
  } else {
    Pairs of;
    for (uint32_t i = 0; i < threads; i++) {
      const uint32_t other = (i + threadIdx.x) % threads;
      of.add(memory + (layout == Layout::row ? other * (BINS / 4) + row : row * threads + other), clear);
    }
    atomicAdd(counts + 4 * row, of.even & 0xffff);
    atomicAdd(counts + 4 * row + 2, of.even >> 16);
    atomicAdd(counts + 4 * row + 1, of.odd & 0xffff);
    atomicAdd(counts + 4 * row + 3, of.odd >> 16);
  }
}

/** Merges the threads' histograms. There are barriers on both sides. */
template <Layout layout, uint32_t threads>
__device__ __forceinline__ void merge(bool clear, uint32_t *counts) {
  __syncthreads();
  for (uint32_t row = threadIdx.x; row < BINS / 4; row += threads) mergeRow<layout, threads>(row, clear, counts);
  __syncthreads();
}

/** Listing 8: histograms per thread, for blocks of 64 threads, or of 32 as in the program. The counts must be 0. */
template <Layout layout, uint32_t threads, bool periodic>
__global__ void __launch_bounds__(threads) countPerThread(const uint32_t *data, uint32_t words, uint32_t *counts) {
  clearBlock(threads * BINS / 4);
  uint32_t steps = 0;
  for (uint32_t base = blockIdx.x * threads; base < words; base += gridDim.x * threads) {
    if (base + threadIdx.x < words) {
      uint32_t value = data[base + threadIdx.x];
      increment<layout, threads>(value & 0xff);
      value >>= 8;
      increment<layout, threads>(value & 0xff);
      value >>= 8;
      increment<layout, threads>(value & 0xff);
      value >>= 8;
      increment<layout, threads>(value);
    }
    steps++;
    if (periodic && steps >= 252 / 4) {
      steps = 0;
      merge<layout, threads>(true, counts);
    }
  }
  merge<layout, threads>(false, counts);
}

/** Overflow check ("Managing Overflow"): increments the counter of a bin, and returns whether it wrapped around to 0. */
template <Layout layout, uint32_t threads>
__device__ __forceinline__ bool incrementWraps(uint32_t bin) {
  if constexpr (layout == Layout::interleaved) {
    uint32_t *const quad = blockMemory() + (bin >> 2) * threads + threadIdx.x;
    const uint32_t shift = 8 * (bin & 3), held = *quad;
    const bool wraps = (held >> shift & 0xff) == 0xff;
    // The counter above it must not get the carry.
    *quad = wraps ? held & ~(0xffu << shift) : held + (1u << shift);
    return wraps;
  } else {
    uint8_t *const counter =
        reinterpret_cast<uint8_t *>(blockMemory()) + (layout == Layout::row ? threadIdx.x * BINS + bin : bin * threads + threadIdx.x);
    return ++*counter == 0;
  }
}

/** `inShared`: carries go to a histogram of the block, behind those of its threads, and at the end to the counts. */
template <Layout layout, uint32_t threads, bool inShared>
__global__ void __launch_bounds__(threads) countPerThreadChecked(const uint32_t *data, uint32_t words, uint32_t *counts) {
  clearBlock(threads * BINS / 4 + (inShared ? BINS : 0));
  uint32_t *const carries = inShared ? blockMemory() + threads * BINS / 4 : counts;
  eachByte<true>(data, words, [&](uint32_t byte) {
    if (incrementWraps<layout, threads>(byte)) atomicAdd(carries + byte, 256u);
  });
  merge<layout, threads>(false, counts);
  if constexpr (inShared) {
    for (uint32_t bin = threadIdx.x; bin < BINS; bin += threads) atomicAdd(counts + bin, carries[bin]);
  }
}

/** The program's first version: a byte per step, for so many blocks that no counter overflows. The counts must be 0. */
__global__ void __launch_bounds__(64) countPerThreadBytes(const uint32_t *data, uint32_t words, uint32_t *counts) {
  clearBlock(64 * BINS / 4);
  eachByte<false>(data, words, [](uint32_t byte) { increment<Layout::interleaved, 64>(byte); });
  merge<Layout::interleaved, 64>(false, counts);
}

}  // namespace published
