// Which pixels segments have, and which segments pixels are in.
#pragma once
#include <cstdint>
#include <vector>

#include "generated/messages.h"
#include "kernels/segments.cuh"

namespace polybin {

/** From `first` on, up to `end`. */
struct Span {
  uint64_t first, end;
  uint64_t size() const { return end - first; }
};

/** The segments of a job by their numbers. */
class Cutting {
 public:
  explicit Cutting(const SegmentsJob &job) : job_(job) {}

  /** The pixels from the first to the last of some segments. */
  Span pixelsOf(Span segments) const;
  /** Of some segments those that have, or are between such as have, some of these pixels. */
  Span segmentsOf(Span pixels, Span among) const;
  /** Segments for a launch, `most` of them at the most: of tiles whole rows, where they are not too many. */
  Span next(uint64_t from, uint64_t most) const;
  /** All but their arrays, in the words of a kernel. `parts`: those of each, where all have as many. */
  Segments described(Span segments, uint64_t partSamples) const;
  /** Where these segments begin, and the last one ends: of offsets. */
  std::vector<uint64_t> offsetsOf(Span segments) const;

 private:
  uint64_t start(uint64_t segment) const;

  const SegmentsJob &job_;
};

/** Parts of segments that are not equally long: how many there are before each, and whose each is. */
struct Parts {
  std::vector<uint32_t> before, segmentOf;
};
Parts partsOf(const std::vector<uint64_t> &offsets, uint64_t partSamples);

}  // namespace polybin
