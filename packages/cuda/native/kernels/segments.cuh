// Segments of samples on the device, and their rows of counts.
//
//   samples   | segment 0 | segment 1      | 2 |       a part: up to partSamples samples of a segment; short ones have one
//   parts     | 0         | 1      | 2     | 3 |
//   rows      counts[segment * stride + bin], flow[segment * 3 + 0 … 2]
#pragma once
#include <cstdint>

#include "polybin.cuh"

namespace polybin {

/** Consecutive segments of one launch. The first has row 0. Lengths are in pixels. */
struct Segments {
  Cut cut;
  /** Number of the first segment, and how many there are. */
  uint64_t first;
  uint32_t count;
  /** Pixels of all samples, and the pixel that Pixels.data begins with. Pixels outside the data are not counted. */
  uint64_t pixels, begin;
  /** Whether all pixels of the segments are in the data. */
  bool whole;
  uint64_t every;
  /** offsets: where these segments begin, and then where the last one ends. */
  const uint64_t *offsets;
  /** tiles */
  uint64_t width, height, columns, imageWidth, imageHeight;
  /** Samples of a part, and parts of all these segments. */
  uint64_t partSamples, parts;
  /**
   * Parts of each segment. If it is 0, `partsBefore` has the parts of the segments before each, and `segmentOf` the
   * segment of each part.
   */
  uint32_t partsEach;
  const uint32_t *partsBefore, *segmentOf;
};

/** The destination of the counts. */
struct Rows {
  /** Words of 32 bits, or of 64. flow is null if no sample can fall outside the bins. */
  void *counts, *flow;
  bool wide;
  /** Whether counts are added to the existing ones, possibly by several blocks. Otherwise a block overwrites them. */
  bool adds;
  /** Counts from row to row, and from channel to channel of a row. */
  uint64_t stride, channelStride;
  uint32_t bins;
  /** The bin of each raw value: `bins` for underflow, one more for overflow. Null: the value is the bin. */
  const uint32_t *codes;
};

}  // namespace polybin
