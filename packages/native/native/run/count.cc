#include "count.h"

#include <algorithm>

namespace polybin {
namespace {

Division divisionOf(const Job &job, const Pixels &of) {
  const JobNumbers &numbers = job.numbers;
  return {of.width * of.height, std::max<uint32_t>(1, numbers.pieceBytes / job.pixelBytes),
          std::max<uint32_t>(1, numbers.shareBytes / job.pixelBytes), numbers.threads};
}

}  // namespace

Count::Count(const Job &job, const Pixels &of, double *counts, const Control &control)
    : Pieces(divisionOf(job, of), control), job_(job), of_(of), counts_(counts) {}

void Count::count(uint64_t from, uint64_t to, uint32_t *tables) {
  if (job_.isTogether()) {
    countTogether(from, to, tables);
    return;
  }
  const Lookup &lookup = job_.lowering.lookup();
  const size_t channelWords = static_cast<size_t>(job_.shape.stride) * job_.shape.tables;
  alignas(64) uint64_t memory[BLOCK];
  alignas(64) uint32_t rows[BLOCK];
  for (uint64_t at = from; at < to; at += BLOCK) {
    const size_t n = std::min<uint64_t>(BLOCK, to - at);
    for (uint32_t i = 0; i < job_.channelCount; i++) {
      const Channel channel{of_, job_.sampleBytes, job_.numbers.interleaved, job_.channels[i]};
      const void *const samples = fetched(channel, at, n, memory);
      uint32_t *const table = tables + i * channelWords;
      if (job_.isRaw()) {
        job_.tally.bytes(job_.shape, static_cast<const uint8_t *>(samples), n, table);
      } else {
        lookup.find(lookup, samples, n, rows);
        job_.tally.rows(job_.shape, rows, n, table);
      }
    }
  }
}

void Count::countTogether(uint64_t from, uint64_t to, uint32_t *tables) const {
  const uint64_t width = of_.isDense(job_.pixelBytes) ? of_.width * of_.height : of_.width;
  while (from < to) {
    const uint64_t row = from / width, column = from % width;
    const uint64_t pixels = std::min(to - from, width - column);
    job_.tally.pixels(job_.bytes, of_.data + row * of_.pitch + column * job_.pixelBytes, pixels, tables);
    from += pixels;
  }
}

void Count::sum(uint32_t *tables) {
  const size_t channelWords = static_cast<size_t>(job_.shape.stride) * job_.shape.tables;
  for (uint32_t i = 0; i < job_.channelCount; i++) {
    double *const counts = counts_ + static_cast<size_t>(i) * job_.counts();
    if (job_.isTogether()) job_.tally.sumPixels(job_.bytes, job_.channels[i], tables, counts);
    else job_.tally.sum(job_.shape, tables + i * channelWords, counts);
  }
}

}  // namespace polybin
