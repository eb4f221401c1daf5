// The common case: bytes of one channel, in segments of one length that consist of aligned 16-byte vectors. Positions
// are then 32-bit numbers of vectors, no sample needs a check, and loads run ahead of counting.
//
//   bytes | v v v v | v v v v | …        a warp takes adjacent segments, and loads the next segment's first
//         segment 0   segment 1          vectors while it counts the last vectors of this one
//
// Bound: see bytes.cuh and kernel.cu. The loads in flight and the segments per warp are chosen by measurement on an
// H200.
#pragma once
#include "bytes.cuh"

namespace polybin {
namespace {

/** Segments of equal shape: the address of the first one's samples and of its row. */
struct Even {
  const uint4 *data;
  uint4 *rows;
  /** The number of segments, and the vectors per segment. */
  uint32_t segments, vectors;
};

/** The number of vectors in a row of counts. */
constexpr uint32_t rowVectors = limits::BYTE_VALUES * sizeof(uint32_t) / sizeof(uint4);

/** Adjacent segments from `first` to `end`: the share of one of `groups` groups of threads. */
struct Share {
  uint32_t first, end;
  __device__ __forceinline__ Share(uint32_t segments, uint32_t group, uint32_t groups) {
    const uint32_t each = (segments + groups - 1) / groups;
    first = min(segments, group * each);
    end = min(segments, first + each);
  }
};

/** Rows are written once and not read here, so the stores are marked as streaming. */
__device__ __forceinline__ void storeStreamed(uint4 *to, const uint4 &what) {
#ifndef __CUDACC__
  *to = what;
#else
  asm volatile("st.global.cs.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(to), "r"(what.x), "r"(what.y), "r"(what.z), "r"(what.w)
               : "memory");
#endif
}

/**
 * One warp per segment, in byte counters. `ahead`: the vectors that a lane has in flight. The vectors per lane and
 * segment are a multiple of it.
 */
template <uint32_t ahead>
__global__ void __launch_bounds__(warpBlockThreads, byteBlocks)
    countEvenBytes(const __grid_constant__ Even of) {
  constexpr uint32_t fold = limits::SEGMENT_FOLD_WORDS / limits::WORD_BYTES / ahead * ahead;
  const uint32_t lane = threadIdx.x % lanes, warp = threadIdx.x / lanes, warps = blockDim.x / lanes;
  const ByteTable table(reinterpret_cast<uint4 *>(sharedWords()) + warp * tableVectors, lane);
  const Share share(of.segments, blockIdx.x * warps + warp, gridDim.x * warps);
  if (share.first >= share.end) return;
  table.clear();
  const uint32_t each = of.vectors / lanes;
  const uint4 *at = of.data + uint64_t{share.first} * of.vectors + lane;
  uint4 *to = of.rows + uint64_t{share.first} * rowVectors + lane;
  uint4 next[ahead];
#pragma unroll
  for (uint32_t k = 0; k < ahead; k++) next[k] = streamed(at + k * lanes);
  for (uint32_t left = share.end - share.first; left > 0; left--) {
    uint4 sum[2] = {};
    for (uint32_t i = 0, since = 0; i < each; i += ahead) {
      uint4 now[ahead];
#pragma unroll
      for (uint32_t k = 0; k < ahead; k++) now[k] = next[k];
      // The next segment's first vectors follow this segment's last ones.
      at += ahead * lanes;
      const bool isLast = i + ahead >= each;
      if (!isLast || left > 1) {
#pragma unroll
        for (uint32_t k = 0; k < ahead; k++) next[k] = streamed(at + k * lanes);
      }
#pragma unroll
      for (uint32_t k = 0; k < ahead; k++) table.count(now[k]);
      since += ahead;
      if (since < fold && !isLast) continue;
      table.flush(sum);
      since = 0;
    }
    storeStreamed(to, sum[0]);
    storeStreamed(to + lanes, sum[1]);
    to += rowVectors;
  }
}

/** The data that a lane loads from a short segment at a time. */
__device__ __forceinline__ uint32_t loadOf(const uint8_t *at) { return __ldg(at); }
__device__ __forceinline__ uint32_t loadOf(const uint32_t *at) {
  uint32_t word[1];
  loadOnce(word, at);
  return word[0];
}
__device__ __forceinline__ uint4 loadOf(const uint4 *at) { return streamed(at); }

/** One 32-bit counter per cell. */
struct WordTable {
  uint32_t at;
  __device__ __forceinline__ void count(uint8_t byte) const { addTo(at + byte * limits::WORD_BYTES, 1); }
  __device__ __forceinline__ void count(uint32_t word) const {
#pragma unroll
    for (uint32_t i = 0; i < limits::WORD_BYTES; i++) addTo(at + byteOf(word, i) * limits::WORD_BYTES, 1);
  }
  __device__ __forceinline__ void count(const uint4 &of) const { count(of.x), count(of.y), count(of.z), count(of.w); }
};

/**
 * Blocks per multiprocessor. They use nearly all threads, because most of the time goes into waiting for loads and
 * writing rows.
 */
constexpr uint32_t shortBlocks = 9;

/**
 * Short segments: one warp per segment, in one table of words that is stored as the segment's row. Load: bytes, words
 * or vectors.
 */
template <typename Load>
__global__ void __launch_bounds__(warpBlockThreads, shortBlocks)
    countEvenShort(const __grid_constant__ Even of) {
  constexpr uint32_t loads = sizeof(uint4) / sizeof(Load);
  const uint32_t lane = threadIdx.x % lanes, warp = threadIdx.x / lanes, warps = blockDim.x / lanes;
  uint4 *const table = reinterpret_cast<uint4 *>(sharedWords()) + warp * rowVectors + lane;
  const WordTable counters{sharedAddress(sharedWords() + warp * limits::BYTE_VALUES)};
  const Share share(of.segments, blockIdx.x * warps + warp, gridDim.x * warps);
  table[0] = table[lanes] = {};
  settleGroup<true>();
  const uint32_t each = of.vectors * loads;
  for (uint32_t segment = share.first; segment < share.end; segment++) {
    const Load *const at = reinterpret_cast<const Load *>(of.data + uint64_t{segment} * of.vectors);
#pragma unroll 4
    for (uint32_t i = lane; i < each; i += lanes) counters.count(static_cast<Load>(loadOf(at + i)));
    settleGroup<true>();
    uint4 *const to = of.rows + uint64_t{segment} * rowVectors + lane;
#pragma unroll
    for (uint32_t half = 0; half < 2; half++) {
      storeStreamed(to + half * lanes, table[half * lanes]);
      table[half * lanes] = {};
    }
    settleGroup<true>();
  }
}

/** Blocks per multiprocessor. Their threads fill it. */
constexpr uint32_t longBlocks = 4;

/**
 * Long segments: one block per part, with one word per lane and cell, so that two lanes of a warp never use the same
 * counter.
 */
__global__ void __launch_bounds__(limits::SEGMENT_THREADS, longBlocks)
    countEvenLong(const __grid_constant__ Even of, uint32_t parts, uint32_t partVectors, const __grid_constant__ Rows rows) {
  uint32_t *const table = sharedWords();
  const uint32_t column = sharedAddress(table + threadIdx.x % lanes);
  constexpr uint32_t rowBytes = lanes * sizeof(uint32_t);
  const auto count = [&](uint32_t word) {
#pragma unroll
    for (uint32_t i = 0; i < limits::WORD_BYTES; i++) addTo(column + byteOf(word, i) * rowBytes, 1);
  };
  const uint32_t threads = blockDim.x, all = of.segments * parts;
  for (uint32_t part = blockIdx.x; part < all; part += gridDim.x) {
    for (uint32_t i = threadIdx.x; i < limits::BYTE_VALUES * lanes / limits::WORD_BYTES; i += threads) {
      reinterpret_cast<uint4 *>(table)[i] = {};
    }
    settleGroup<false>();
    const uint32_t segment = part / parts, first = part % parts * partVectors;
    const uint32_t end = min(of.vectors, first + partVectors);
    const uint4 *const data = of.data + uint64_t{segment} * of.vectors;
    for (uint32_t at = first + threadIdx.x; at < end; at += inFlight * threads) {
      uint4 vector[inFlight];
#pragma unroll
      for (uint32_t k = 0; k < inFlight; k++) {
        if (at + k * threads < end) vector[k] = streamed(data + at + k * threads);
      }
#pragma unroll
      for (uint32_t k = 0; k < inFlight; k++) {
        if (at + k * threads >= end) break;
        count(vector[k].x), count(vector[k].y), count(vector[k].z), count(vector[k].w);
      }
    }
    settleGroup<false>();
    // Neighbouring threads start their cells at different banks.
    for (uint32_t cell = threadIdx.x; cell < limits::BYTE_VALUES; cell += threads) {
      uint32_t sum = 0;
#pragma unroll 8
      for (uint32_t i = 0; i < lanes; i++) sum += table[cell * lanes + (i + cell) % lanes];
      put(rows, segment, cell, sum);
    }
    settleGroup<false>();
  }
}

}  // namespace
}  // namespace polybin
