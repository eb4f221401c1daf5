// Xu et al.'s three methods, which add a count and a weight per document to the bin of each feature.
//
//   collision-free      shared memory: float = [bin][thread], then u16 = [bin][thread]; 6 bytes per bin and thread
//   collision           shared memory: float = [bin], then u32 = [bin]
//   collision-reduced   the same, then u32 = [slot][thread], a value : 16 and its count : 16, and float = [slot][thread]
//
//   global memory:      values [feature][document] of 4, 8 or 16 bits; tables [block][bin], which a second kernel adds up
//
// Bound: collision-free, latency at low occupancy, hence N_unroll; collision, atomics that meet; collision-reduced, the
// search of a slot.
// Source: Xu et al., sections 4.1 to 4.4, Algorithm 2, Figures 1 to 3. Algorithm 2 as printed assigns the weight of a slot
// (line 28), which loses weights, and shifts a sum (line 24). Both are mended. Loads of values are words (4.1), except in
// Algorithm 2, which reads one value per step. Documents are a multiple of a word's values (the paper pads).
#pragma once
#include "block.cuh"

namespace published {

/** The features of one launch, and where their tables go. */
struct Table {
  const uint8_t *values;
  /** Bytes of a feature's values. */
  uint64_t pitch;
  const float *weights;
  /** The rows of a launch, because the hybrid launches a kernel for some of them (4.5). */
  const uint32_t *features;
  uint32_t documents, bins;
  /** Blocks per feature, and documents of each. */
  uint32_t segments, each;
  /** [block][bin]. */
  uint32_t *counts;
  float *sums;

  __device__ __forceinline__ const uint8_t *row() const { return values + features[blockIdx.x / segments] * pitch; }
  __device__ __forceinline__ uint32_t first() const { return blockIdx.x % segments * each; }
  __device__ __forceinline__ uint32_t end() const { return min(documents, first() + each); }
};

/** Reads the words of this thread, `unroll` at a time, and calls `each` with a value and its document. */
template <uint32_t bits, uint32_t unroll, class Each>
__device__ __forceinline__ void eachValue(const Table &of, Each each) {
  constexpr uint32_t PER_WORD = 32 / bits, MASK = (1u << bits) - 1;
  const uint32_t *const words = reinterpret_cast<const uint32_t *>(of.row());
  const uint32_t last = of.end() / PER_WORD;
  for (uint32_t at = of.first() / PER_WORD + threadIdx.x; at < last; at += unroll * blockDim.x) {
    uint32_t word[unroll];
#pragma unroll
    for (uint32_t i = 0; i < unroll; i++) word[i] = at + i * blockDim.x < last ? words[at + i * blockDim.x] : 0;
#pragma unroll
    for (uint32_t i = 0; i < unroll; i++) {
      const uint32_t place = at + i * blockDim.x;
      if (place >= last) break;
#pragma unroll
      for (uint32_t slot = 0; slot < PER_WORD; slot++) {
        each(word[i] >> bits * slot & MASK, of.weights[place * PER_WORD + slot]);
      }
    }
  }
}

template <uint32_t bits>
__device__ __forceinline__ uint32_t valueAt(const uint8_t *row, uint32_t document) {
  if constexpr (bits == 4) return row[document / 2] >> 4 * (document % 2) & 15;
  if constexpr (bits == 8) return row[document];
  return reinterpret_cast<const uint16_t *>(row)[document];
}

/** The same with a load per value, which words replace (4.1). */
template <uint32_t bits, uint32_t unroll, class Each>
__device__ __forceinline__ void eachSingleValue(const Table &of, Each each) {
  const uint8_t *const row = of.row();
  const uint32_t last = of.end();
  for (uint32_t at = of.first() + threadIdx.x; at < last; at += unroll * blockDim.x) {
    uint32_t value[unroll];
#pragma unroll
    for (uint32_t i = 0; i < unroll; i++) {
      const uint32_t document = at + i * blockDim.x;
      value[i] = document < last ? valueAt<bits>(row, document) : 0;
    }
#pragma unroll
    for (uint32_t i = 0; i < unroll; i++) {
      const uint32_t document = at + i * blockDim.x;
      if (document >= last) break;
      each(value[i], of.weights[document]);
    }
  }
}

/** Collision-free: each thread has a histogram. `words`: loads are words (4.1). */
template <uint32_t bits, uint32_t unroll, bool words = true>
__global__ void sumFree(Table of) {
  const uint32_t threads = blockDim.x, cells = of.bins * threads, thread = threadIdx.x;
  float *const sums = reinterpret_cast<float *>(blockMemory());
  uint16_t *const counts = reinterpret_cast<uint16_t *>(sums + cells);
  for (uint32_t i = thread; i < cells; i += threads) {
    sums[i] = 0;
    counts[i] = 0;
  }
  __syncthreads();
  const auto add = [&](uint32_t value, float weight) {
    counts[value * threads + thread]++;
    sums[value * threads + thread] += weight;
  };
  if constexpr (words) eachValue<bits, unroll>(of, add);
  else eachSingleValue<bits, unroll>(of, add);
  __syncthreads();
  for (uint32_t bin = thread; bin < of.bins; bin += threads) {
    uint32_t count = 0;
    float sum = 0;
    // Threads begin at different places, so that their banks differ.
    for (uint32_t i = 0; i < threads; i++) {
      const uint32_t at = bin * threads + (i + thread) % threads;
      count += counts[at];
      sum += sums[at];
    }
    of.counts[uint64_t{blockIdx.x} * of.bins + bin] = count;
    of.sums[uint64_t{blockIdx.x} * of.bins + bin] = sum;
  }
}

/** The histogram of a block, as collision and collision-reduced have it. */
struct BlockHistogram {
  uint32_t bins;
  float *const sums;
  uint32_t *const counts;

  __device__ explicit BlockHistogram(uint32_t bins)
      : bins(bins), sums(reinterpret_cast<float *>(blockMemory())), counts(blockMemory() + bins) {}

  /** The words after it. */
  __device__ uint32_t *rest() const { return counts + bins; }

  __device__ void clear() const {
    for (uint32_t bin = threadIdx.x; bin < bins; bin += blockDim.x) {
      sums[bin] = 0;
      counts[bin] = 0;
    }
  }

  __device__ void copy(const Table &of) const {
    for (uint32_t bin = threadIdx.x; bin < bins; bin += blockDim.x) {
      of.counts[uint64_t{blockIdx.x} * bins + bin] = counts[bin];
      of.sums[uint64_t{blockIdx.x} * bins + bin] = sums[bin];
    }
  }
};

/** Collision. Without `atomics`, additions get lost (6.2.1). `skip`: zeros are not added (4.4.2). */
template <uint32_t bits, uint32_t unroll, bool skip, bool atomics>
__global__ void sumCollision(Table of) {
  const BlockHistogram histogram(of.bins);
  histogram.clear();
  __syncthreads();
  eachValue<bits, unroll>(of, [&](uint32_t value, float weight) {
    if (skip && value == 0) return;
    if constexpr (atomics) {
      atomicAdd(histogram.counts + value, 1u);
      atomicAdd(histogram.sums + value, weight);
    } else {
      histogram.counts[value]++;
      histogram.sums[value] += weight;
    }
  });
  __syncthreads();
  histogram.copy(of);
}

/** Collision-reduced, Algorithm 2: each thread first gathers `slots` documents by value, at a place of its own. */
template <uint32_t bits, uint32_t slots, bool skip>
__global__ void sumReduced(Table of) {
  const BlockHistogram histogram(of.bins);
  const uint32_t threads = blockDim.x, thread = threadIdx.x;
  uint32_t *const valueCount = histogram.rest();
  float *const buffered = reinterpret_cast<float *>(valueCount + slots * threads);
  for (uint32_t i = 0; i < slots; i++) {
    valueCount[i * threads + thread] = 0;
    buffered[i * threads + thread] = 0;
  }
  const uint8_t *const row = of.row();
  const uint32_t first = of.first(), end = of.end();
  for (uint32_t i = 0; i < slots; i++) {
    const uint32_t document = first + i * threads + thread;
    if (document >= end) break;
    const uint32_t key = valueAt<bits>(row, document);
    const float weight = of.weights[document];
    uint32_t slot = (key % slots + thread) % slots, held = valueCount[slot * threads + thread];
    while ((held & 0xff) > 0 && held >> 16 != key) {
      slot = (slot + 1) % slots;
      held = valueCount[slot * threads + thread];
    }
    valueCount[slot * threads + thread] = (held & 0xff) == 0 ? (key << 16) + 1 : held + 1;
    buffered[slot * threads + thread] += weight;
  }
  histogram.clear();
  __syncthreads();
  for (uint32_t i = 0; i < slots; i++) {
    const uint32_t held = valueCount[i * threads + thread], bin = held >> 16, count = held & 0xff;
    if (count == 0 || (skip && bin == 0)) continue;
    atomicAdd(histogram.counts + bin, count);
    atomicAdd(histogram.sums + bin, buffered[i * threads + thread]);
  }
  __syncthreads();
  histogram.copy(of);
}

/** Adds all weights up, for skipped zeros: one block, a power of two of threads. */
__global__ void sumWeights(const float *weights, uint32_t documents, float *total) {
  float *const sums = reinterpret_cast<float *>(blockMemory());
  float sum = 0;
  for (uint32_t i = threadIdx.x; i < documents; i += blockDim.x) sum += weights[i];
  sums[threadIdx.x] = sum;
  for (uint32_t half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  if (threadIdx.x == 0) *total = sums[0];
}

/**
 * The second kernel: a block per feature adds its tables up, and writes to the feature's row. With `skip`, bin 0 gets what
 * the others lack of all documents and of all weights.
 */
template <bool skip>
__global__ void mergeTables(Table of, const float *total, uint32_t *counts, float *sums) {
  uint32_t *const others = blockMemory();
  float *const otherSums = reinterpret_cast<float *>(others + 1);
  if (threadIdx.x == 0) {
    *others = 0;
    *otherSums = 0;
  }
  __syncthreads();
  const uint64_t from = uint64_t{blockIdx.x} * of.segments * of.bins, to = uint64_t{of.features[blockIdx.x]} * of.bins;
  uint32_t mine = 0;
  float mineSum = 0;
  for (uint32_t bin = threadIdx.x; bin < of.bins; bin += blockDim.x) {
    uint32_t count = 0;
    float sum = 0;
    for (uint32_t i = 0; i < of.segments; i++) {
      count += of.counts[from + uint64_t{i} * of.bins + bin];
      sum += of.sums[from + uint64_t{i} * of.bins + bin];
    }
    mine += count;
    mineSum += sum;
    counts[to + bin] = count;
    sums[to + bin] = sum;
  }
  if constexpr (skip) {
    atomicAdd(others, mine);
    atomicAdd(otherSums, mineSum);
    __syncthreads();
    if (threadIdx.x == 0) {
      counts[to] = of.documents - *others;
      sums[to] = *total - *otherSums;
    }
  }
}

}  // namespace published
