// The pixels of segments, and the segments of pixels.
#pragma once
#include <cstdint>
#include <vector>

#include "generated/messages.h"
#include "kernels/segments.cuh"

namespace polybin {

/** From `first` up to but not including `end`. */
struct Span {
  uint64_t first, end;
  uint64_t size() const { return end - first; }
};

/** The segments of a job by their numbers. */
class Cutting {
 public:
  explicit Cutting(const SegmentsJob &job) : job_(job) {}

  /** The range from the first to the last pixel of these segments. */
  Span pixelsOf(Span segments) const;
  /** The range of segments in `among` from the first to the last that has some of these pixels. */
  Span segmentsOf(Span pixels, Span among) const;
  /** The segments of the next launch, at most `most`. For tiles these are whole rows of tiles if one row fits. */
  Span next(uint64_t from, uint64_t most) const;
  /**
   * Describes the segments for a kernel, without their arrays. `partsEach` is the number of parts of each if all have
   * the same number.
   */
  Segments described(Span segments, uint64_t partSamples) const;
  /** For `offsets`: the starts of these segments and the end of the last one. */
  std::vector<uint64_t> offsetsOf(Span segments) const;

 private:
  uint64_t start(uint64_t segment) const;

  const SegmentsJob &job_;
};

/**
 * The parts of segments of different lengths: the number of parts before each segment, and the segment of each part.
 */
struct Parts {
  std::vector<uint32_t> before, segmentOf;
};
Parts partsOf(const std::vector<uint64_t> &offsets, uint64_t partSamples);

}  // namespace polybin
