// The samples that a group of threads counts, the group's barrier, and the store of its counts.
#pragma once
#include "generated/limits.cuh"
#include "kernels/segments.cuh"

namespace polybin {
namespace {

/** The pixels that threads count together: those from `first` to `end` of a segment, in its order. */
struct Part {
  uint32_t row;
  uint64_t first, end;
  /**
   * Pixel 0 of the segment. A row of a tile has `width` pixels, and the next row starts `pitch` further on. Width 0:
   * the segment is not a tile.
   */
  uint64_t start, width, pitch;

  /** The pixel with this number in the segment's order. */
  __device__ __forceinline__ uint64_t pixel(uint64_t i) const {
    if (width == 0) return start + i;
    if (end <= limits::U32_MAX) {
      const auto of = static_cast<uint32_t>(i), across = static_cast<uint32_t>(width);
      return start + of / across * pitch + of % across;
    }
    return start + i / width * pitch + i % width;
  }

  /**
   * Makes positions relative to the start of the data. Positions before it wrap around. A segment that is not a tile is
   * clipped to the available pixels. In a tile each pixel is checked.
   */
  __device__ __forceinline__ void clip(const Segments &of, uint64_t there) {
    start -= of.begin;
    if (of.whole || width != 0) return;
    const auto from = static_cast<int64_t>(start);
    const int64_t last = static_cast<int64_t>(there) - from;
    if (from < 0) first = max(first, static_cast<uint64_t>(-from));
    end = last <= 0 ? 0 : min(end, static_cast<uint64_t>(last));
    end = max(first, end);
  }
};

__device__ inline Part partOf(const Segments &of, uint64_t number) {
  Part part{};
  uint64_t at = 0;
  if (of.partsEach == 1) {
    part.row = static_cast<uint32_t>(number);
  } else if (of.partsEach == 0) {
    part.row = of.segmentOf[number];
    at = number - of.partsBefore[part.row];
  } else {
    part.row = static_cast<uint32_t>(number / of.partsEach);
    at = number % of.partsEach;
  }
  const uint64_t segment = of.first + part.row;
  uint64_t pixels = 0;
  if (of.cut == Cut::every) {
    part.start = segment * of.every;
    pixels = min(of.every, of.pixels - part.start);
  } else if (of.cut == Cut::offsets) {
    part.start = of.offsets[part.row];
    pixels = of.offsets[part.row + 1] - part.start;
  } else {
    const uint64_t x = segment % of.columns * of.width, y = segment / of.columns * of.height;
    const uint64_t across = min(of.width, of.imageWidth - x);
    part.start = y * of.imageWidth + x;
    pixels = across * min(of.height, of.imageHeight - y);
    part.pitch = of.imageWidth;
    part.width = across == of.imageWidth ? 0 : across;
  }
  part.first = min(pixels, at * of.partSamples);
  part.end = min(pixels, part.first + of.partSamples);
  return part;
}

/** Waits for the other threads of a group. */
template <bool warp>
__device__ __forceinline__ void settleGroup() {
  // The counters are changed by inline assembly, so the compiler must reload them.
  asm volatile("" ::: "memory");
  if constexpr (warp) __syncwarp();
  else __syncthreads();
}

/** The rows of one channel. */
__device__ __forceinline__ Rows channelOf(Rows rows, uint32_t channel) {
  const uint64_t bytes = channel * rows.channelStride * (rows.wide ? sizeof(Count) : sizeof(uint32_t));
  rows.counts = static_cast<char *>(rows.counts) + bytes;
  if (rows.flow != nullptr) rows.flow = static_cast<char *>(rows.flow) + bytes;
  return rows;
}

/** Writes or adds the count of a cell to a row. The cells behind the bins are underflow, overflow, NaN. */
__device__ __forceinline__ void put(const Rows &rows, uint64_t row, uint32_t cell, uint32_t count) {
  const uint32_t to = rows.codes == nullptr ? cell : __ldg(rows.codes + cell);
  const bool isBin = to < rows.bins;
  void *const base = isBin ? rows.counts : rows.flow;
  const uint64_t at = isBin ? row * rows.stride + to : row * limits::FLOW_ROWS + (to - rows.bins);
  if (!rows.adds) static_cast<uint32_t *>(base)[at] = count;
  else if (count == 0) return;
  else if (rows.wide) atomicAdd(static_cast<Count *>(base) + at, static_cast<Count>(count));
  else atomicAdd(static_cast<uint32_t *>(base) + at, count);
}

}  // namespace
}  // namespace polybin
