#include "job.h"

namespace polybin {
namespace {

Tally tallyOf(Algorithm algorithm) {
  switch (algorithm) {
    case Algorithm::perThread:
      return perThreadTally();
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

Shape shapeOf(uint32_t rows, uint32_t tables) { return {rows, (rows + 15) / 16 * 16 + 16, tables}; }

Job::Job(const LoweringNumbers &of)
    : numbers(of.numbers),
      lowering(of),
      tally(tallyOf(of.numbers.algorithm)),
      shape(shapeOf(of.numbers.rows, of.numbers.tables)),
      bytes{of.numbers.interleaved, of.numbers.channels},
      channels{},
      channelCount(0),
      sampleBytes(bytesOf(of.numbers.type)) {
  pixelBytes = sampleBytes * numbers.interleaved;
  for (uint32_t channel = 0; channel < numbers.interleaved; channel++) {
    if (numbers.channels >> channel & 1) channels[channelCount++] = channel;
  }
}

size_t Job::words() const {
  if (isTogether()) return tally.pixelWords(bytes);
  return static_cast<size_t>(shape.stride) * shape.tables * channelCount;
}

}  // namespace polybin
