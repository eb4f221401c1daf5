// The columns of a joint histogram on the device, and the rule by which a sample finds its cell: core's cells.ts.
//
//   cell = sum of place_k * stride_k - offset       the last column has stride 1
#pragma once
#include <cstdint>

#include "generated/limits.cuh"
#include "polybin.cuh"

namespace polybin {

/** One column: a channel of some pixels. */
struct JointColumn {
  /** The first pixel, at a multiple of 16 bytes. */
  const void *data;
  /** Samples per pixel, and the one that is counted. */
  uint32_t interleaved, channel;
  /** Number of places, and cells from one place to the next. */
  uint32_t extent, stride;
  Lowering lowering;
};

/** The samples of a launch, and the counts to add to. */
struct Joint {
  /** Samples: pixels, or indices of the list. It is at most limits::U32_MAX. */
  uint64_t count;
  uint32_t columns, offset, cells;
  JointColumn column[limits::MAX_JOINT_COLUMNS];
  /** A byte per pixel, or (maskBits) a bit from the lowest of each byte on. 0: the pixel is left out. Null: none is. */
  const uint8_t *mask;
  bool maskBits;
  /** The numbers of the pixels. Null: all of them, in order. */
  const uint32_t *list;
  /** The counts of the cells, and the number of samples that the mask left out. Null: that number is not wanted. */
  Count *counts, *masked;
};

// cells.cu writes the cells of the samples `first` to `first + count`, and joint.cells for those that the mask leaves
// out, whose number it adds to joint.masked.
cudaError_t writeCells(const Joint &, uint64_t first, uint32_t count, uint32_t *cells, cudaStream_t);

}  // namespace polybin
