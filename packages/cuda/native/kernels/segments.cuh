// Segments of samples on the device, and the rows of counts that they have.
//
//   samples   | segment 0 | segment 1      | 2 |       a part: up to so many samples of a segment, all of a short one
//   parts     | 0         | 1      | 2     | 3 |
//   rows      counts[segment * stride + bin], flow[segment * 3 + 0 … 2]
#pragma once
#include <cstdint>

#include "polybin.cuh"

namespace polybin {

/** Some segments in a row, of one launch: the first of them has row 0. Lengths are in pixels. */
struct Segments {
  Cut cut;
  /** Number of the first, and how many there are. */
  uint64_t first;
  uint32_t count;
  /** Pixels of the samples, and the one that Pixels.data begins with: what is not there is not counted. */
  uint64_t pixels, begin;
  /** Are all their pixels there? */
  bool whole;
  uint64_t every;
  /** offsets: where these segments begin, and behind them where the last one ends. */
  const uint64_t *offsets;
  /** tiles */
  uint64_t width, height, columns, imageWidth, imageHeight;
  /** Samples of a part, and parts of all these segments. */
  uint64_t partSamples, parts;
  /** Parts of each segment; 0: `partsBefore` says how many the ones before it have, and `segmentOf` whose a part is. */
  uint32_t partsEach;
  const uint32_t *partsBefore, *segmentOf;
};

/** Where counts go. */
struct Rows {
  /** Words of 32 bits, or of 64. flow null: no sample can fall outside the bins. */
  void *counts, *flow;
  bool wide;
  /** They are added to what is there, some by several blocks; else they are what a block finds. */
  bool adds;
  /** Counts from row to row, and of a row from channel to channel. */
  uint64_t stride, channelStride;
  uint32_t bins;
  /** For each raw value its bin, `bins` for underflow, one more for overflow; null: the value is the bin. */
  const uint32_t *codes;
};

}  // namespace polybin
