#include "job.h"

#include <algorithm>

namespace polybin {
namespace {

/** Words of trish's byte counters: 64 lanes by 256 codes. */
constexpr uint32_t TRISH_WORDS = 4096;

Tally tallyOf(Algorithm algorithm) {
  switch (algorithm) {
    case Algorithm::perThread:
      return perThreadTally();
    case Algorithm::perGroup:
      return perGroupTally();
    case Algorithm::perSegment:
      return perSegmentTally();
    case Algorithm::trish:
      return trishTally();
    default:
      return perLaneTally();
  }
}

}  // namespace

uint32_t bytesOf(Type type) {
  switch (type) {
    case Type::u8:
    case Type::i8:
      return 1;
    case Type::u16:
    case Type::i16:
      return 2;
    case Type::f64:
      return 8;
    default:
      return 4;
  }
}

Shape shapeOf(uint32_t rows, uint32_t tables) {
  if (tables == 8 && rows < STRIDE_8) return {rows, STRIDE_8, tables};
  if (tables == 4 && rows < STRIDE_4) return {rows, STRIDE_4, tables};
  return {rows, (rows + 15) / 16 * 16 + 16, tables};
}

namespace {

/** The tables of a job. The byte counters of trish follow its table. */
Shape tablesOf(const JobNumbers &of) {
  Shape shape = shapeOf(of.rows, of.tables);
  // Counters of 64 bits.
  if (of.algorithm == Algorithm::perGroup) shape.stride *= 2;
  if (of.algorithm == Algorithm::trish) {
    shape.stride = (of.rows + 1 + 255) / 256 * 256 + TRISH_WORDS;
    shape.words = of.words;
    shape.pairs = of.pairs;
  }
  return shape;
}

}  // namespace

Job::Job(const LoweringNumbers &of)
    : numbers(of.numbers),
      lowering(of),
      tally(tallyOf(of.numbers.algorithm)),
      shape(tablesOf(of.numbers)),
      bytes{of.numbers.interleaved, of.numbers.channels},
      channels{},
      channelCount(0),
      sampleBytes(bytesOf(of.numbers.type)),
      codes(of.numbers.kind == Kind::raw ? std::vector<uint32_t>(of.low, of.low + of.length) : std::vector<uint32_t>()) {
  pixelBytes = sampleBytes * numbers.interleaved;
  for (uint32_t channel = 0; channel < numbers.interleaved; channel++) {
    if (numbers.channels >> channel & 1) channels[channelCount++] = channel;
  }
}

size_t Job::words() const {
  return static_cast<size_t>(shape.stride) * shape.tables * channelCount;
}

Division divisionOf(const Job &job, const Pixels &of) {
  const JobNumbers &numbers = job.numbers;
  return {of.width * of.height, std::max<uint32_t>(1, numbers.pieceBytes / job.pixelBytes),
          std::max<uint32_t>(1, numbers.shareBytes / job.pixelBytes), numbers.threads,
          numbers.contiguous != 0};
}

}  // namespace polybin
