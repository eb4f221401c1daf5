// A count that is ready to run, any number of times, on any samples of its shape.
#pragma once
#include <vector>

#include "kernels/tally.h"
#include "lowering.h"
#include "pieces.h"
#include "pixels.h"

namespace polybin {

/** Bytes of a sample. */
uint32_t bytesOf(Type);

/** Tables whose distance is no power of two. */
Shape shapeOf(uint32_t rows, uint32_t tables);

class Job {
 public:
  explicit Job(const LoweringNumbers &);

  const JobNumbers numbers;
  const Lowering lowering;
  const Tally tally;
  const Shape shape;
  /** Interleaved bytes that are counted as they are. */
  const Channels bytes;
  /** Channels that are counted, by their numbers. */
  uint32_t channels[4];
  uint32_t channelCount;
  uint32_t pixelBytes, sampleBytes;
  /** The codes of the values of raw bytes, for rows of segments. */
  const std::vector<uint32_t> codes;

  bool isRaw() const { return numbers.kind == Kind::raw; }
  /** Whether all channels are counted in one pass. */
  bool isTogether() const { return isRaw() && tally.pixels != nullptr; }
  /** Whether each 16-bit sample has a bin of its own, so that samples are counted as they are. */
  bool areWords() const {
    return numbers.kind == Kind::direct && sampleBytes == 2 && numbers.bins == 65536 && tally.words != nullptr;
  }
  /** Counts of one channel: the bins, or the values of raw bytes. */
  uint32_t cells() const { return isRaw() ? shape.rows : numbers.bins; }
  /** Words of all tables of a thread. */
  size_t words() const;
};

/** How threads share the pixels of a job. */
Division divisionOf(const Job &, const Pixels &);

}  // namespace polybin
