// One warp counts a segment of bytes in 8-bit counters. Each lane has its own column of counters, so two lanes never
// use the same counter or bank, whatever the data.
//
//   shared memory, per warp       u32 t[64][32]: cells 4r … 4r + 3 of lane l in t[r][l], one byte each
//   registers of lane l           the sums of cells 4l … 4l + 3 and 128 + 4l … 128 + 4l + 3
//
// Bound: one shared atomic per byte, 16 of them per clock. Clearing and summing 8 KiB takes another 128 clocks per
// segment. Between two flushes, a lane counts at most 240 bytes of vectors and one byte before or behind them. A
// counter holds 255.
#pragma once
#include "generated/kernels/per-segment.cuh"
#include "kernels/ptx.cuh"
#include "vectors.cuh"

namespace polybin {
namespace {

constexpr uint32_t lanes = limits::WARP_THREADS;
constexpr uint32_t tableRows = limits::BYTE_VALUES / limits::WORD_BYTES;
constexpr uint32_t tableVectors = tableRows * lanes * sizeof(uint32_t) / sizeof(uint4);

/** Byte i of a word. */
__device__ __forceinline__ uint32_t byteOf(uint32_t word, uint32_t i) {
#ifndef __CUDACC__
  return word >> 8 * i & limits::U8_MAX;
#else
  return __byte_perm(word, 0, 0x4440 + i);
#endif
}

/** 1 << by % 32. */
__device__ __forceinline__ uint32_t oneAt(uint32_t by) {
#ifndef __CUDACC__
  return 1u << by % 32;
#else
  uint32_t to;
  asm("shf.l.wrap.b32 %0, 0, 1, %1;" : "=r"(to) : "r"(by));
  return to;
#endif
}

/** Bytes 1 and 3 of a word as halves. A mask gives bytes 0 and 2. */
__device__ __forceinline__ uint32_t oddBytes(uint32_t word) {
#ifndef __CUDACC__
  return word >> 8 & 0x00ff00ff;
#else
  return __byte_perm(word, 0, 0x4341);
#endif
}

class ByteTable {
 public:
  __device__ __forceinline__ ByteTable(uint4 *table, uint32_t lane)
      : table_(table), lane_(lane), column_(sharedAddress(reinterpret_cast<uint32_t *>(table) + lane)) {}

  __device__ __forceinline__ void clear() const {
    for (uint32_t i = lane_; i < tableVectors; i += lanes) table_[i] = {};
    settle();
  }

  /**
   * Counts four bytes. A byte's lower two bits select the counter in a word. A row has 32 words, so the upper six bits
   * are an address already.
   */
  __device__ __forceinline__ void count(uint32_t word) const {
    const uint32_t rows = word & 0xfcfcfcfc, places = (word & 0x03030303) * 8;
#pragma unroll
    for (uint32_t i = 0; i < limits::WORD_BYTES; i++) {
      addTo(column_ + byteOf(rows, i) * lanes, oneAt(places >> 8 * i));
    }
  }
  __device__ __forceinline__ void count(const uint4 &of) const { count(of.x), count(of.y), count(of.z), count(of.w); }
  __device__ __forceinline__ void countOne(uint8_t byte) const {
    addTo(column_ + (byte & 0xfcu) * lanes, 1u << 8 * (byte & 3));
  }

  /** Adds all columns to the lane's eight cells and clears them. Neighbouring lanes start at different banks. */
  __device__ __forceinline__ void flush(uint4 (&sum)[2]) const {
    constexpr uint32_t quads = lanes / limits::WORD_BYTES;
    constexpr uint32_t even = 0x00ff00ff;
    settle();
#pragma unroll
    for (uint32_t half = 0; half < 2; half++) {
      uint4 *const row = table_ + (lane_ + half * lanes) * quads;
      uint32_t evens = 0, odds = 0;
#pragma unroll
      for (uint32_t i = 0; i < quads; i++) {
        uint4 &of = row[(i + lane_) % quads];
        const uint4 found = of;
        of = {};
        evens += (found.x & even) + (found.y & even) + (found.z & even) + (found.w & even);
        odds += oddBytes(found.x) + oddBytes(found.y) + oddBytes(found.z) + oddBytes(found.w);
      }
      sum[half].x += evens & limits::U16_MAX, sum[half].y += odds & limits::U16_MAX;
      sum[half].z += evens >> 16, sum[half].w += odds >> 16;
    }
    settle();
  }

 private:
  /** The counters are changed by inline assembly, so the compiler must reload them. */
  __device__ static __forceinline__ void settle() {
    asm volatile("" ::: "memory");
    __syncwarp();
  }

  uint4 *table_;
  uint32_t lane_, column_;
};

/** Writes this lane's cells of a segment's row, or adds a part's counts to it. */
__device__ __forceinline__ void putBytes(const Rows &rows, uint32_t row, uint32_t lane, const uint4 (&sum)[2]) {
#pragma unroll
  for (uint32_t half = 0; half < 2; half++) {
    const uint32_t cell = (lane + half * lanes) * limits::WORD_BYTES;
    if (!rows.adds) {
      *reinterpret_cast<uint4 *>(static_cast<uint32_t *>(rows.counts) + row * rows.stride + cell) = sum[half];
      continue;
    }
    put(rows, row, cell, sum[half].x), put(rows, row, cell + 1, sum[half].y);
    put(rows, row, cell + 2, sum[half].z), put(rows, row, cell + 3, sum[half].w);
  }
}

/** Threads of a block in which every warp counts its own segments. */
constexpr uint32_t warpBlockThreads = limits::SEGMENT_WARPS * limits::WARP_THREADS;

/** Blocks per multiprocessor. Their tables fill its shared memory. */
constexpr uint32_t byteBlocks = 4;

__global__ void __launch_bounds__(warpBlockThreads, byteBlocks)
    countSegmentBytes(const __grid_constant__ Pixels pixels, const __grid_constant__ Segments segments, Rows rows) {
  const uint32_t lane = threadIdx.x % lanes, warp = threadIdx.x / lanes, warps = blockDim.x / lanes;
  const ByteTable table(reinterpret_cast<uint4 *>(sharedWords()) + warp * tableVectors, lane);
  table.clear();
  rows = channelOf(rows, blockIdx.z);
  constexpr uint32_t fold = limits::SEGMENT_FOLD_WORDS / limits::WORD_BYTES * lanes;
  for (uint64_t number = uint64_t{blockIdx.x} * warps + warp; number < segments.parts; number += uint64_t{gridDim.x} * warps) {
    const Part part = partOf(segments, number);
    const PartSamples<uint8_t> of(pixels, segments, pixels.channel[blockIdx.z], part, lanes);
    uint4 sum[2] = {};
    const uint64_t vectors = of.vectors(), singles = of.singles();
    if (vectors == 0) {
      constexpr uint32_t few = fold * sizeof(uint4);
      for (uint64_t from = 0; from < singles; from += few) {
        eachSingle(of, from, min(singles, from + few), lane, lanes, [&](uint8_t byte) { table.countOne(byte); });
        table.flush(sum);
      }
    } else {
      eachSingle(of, 0, singles, lane, lanes, [&](uint8_t byte) { table.countOne(byte); });
      for (uint64_t from = 0; from < vectors; from += fold) {
        eachVector(of, from, min(vectors, from + fold), lane, lanes, [&](const uint4 &vector) { table.count(vector); });
        table.flush(sum);
      }
    }
    putBytes(rows, part.row, lane, sum);
  }
}

}  // namespace
}  // namespace polybin
