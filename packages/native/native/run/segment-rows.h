// The row of each pixel: the number of its segment. It finds a run of pixels with one row at a time.
#pragma once
#include <cstdint>
#include <vector>

#include "generated/border.h"

namespace polybin {

/** Consecutive pixels of one segment. */
struct RowRun {
  uint64_t from, to;
  /** The number of segments: they lie in none. */
  uint64_t row;
};

struct SegmentRows {
  SegmentsNumbers numbers;
  /** offsets: one more than segments. */
  std::vector<double> offsets;
  /** The number of the first pixel of the call. */
  uint64_t first;

  /** The run of a pixel, in pixels of the call. */
  RowRun runAt(uint64_t pixel) const;
};

}  // namespace polybin
