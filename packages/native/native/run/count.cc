#include "count.h"

#include <algorithm>

#include "pairs.h"

namespace polybin {

Count::Count(const Job &job, const Pixels &of, double *counts, const Control &control)
    : Count(job, divisionOf(job, of), of, counts, control) {}

Count::Count(const Job &job, const File &of, double *counts, const Control &control)
    : Count(job, divisionOf(job, of), {nullptr, of.pixels, 1, 0}, counts, control) {
  file_ = of;
}

Count::Count(const Job &job, const Division &division, const Pixels &of, double *counts, const Control &control)
    : Pieces(division, control),
      job_(job),
      of_(of),
      counts_(counts),
      bytes_{job.bytes.interleaved, job.bytes.mask, job.isTogether() && pairsPay(job, of, threads())} {
  if (!job.tally.shared) return;
  const uint32_t groups = (threads() + job.numbers.group - 1) / job.numbers.group;
  shared_.resize(groups * job.words() / 2);
}

uint32_t *Count::shared(uint32_t place) {
  return shared_.empty() ? nullptr : tablesOf(place / job_.numbers.group);
}

uint32_t *Count::tablesOf(uint32_t group) {
  return reinterpret_cast<uint32_t *>(shared_.data()) + group * job_.words();
}

void Count::finish() {
  if (shared_.empty()) return;
  const auto groups = static_cast<uint32_t>(2 * shared_.size() / job_.words());
  for (uint32_t group = 0; group < groups; group++) sum(tablesOf(group));
}

void Count::count(uint64_t from, uint64_t to, uint32_t *tables) {
  if (file_) countIn(readPixels(*file_, job_.pixelBytes, from, to), 0, to - from, tables);
  else countIn(of_, from, to, tables);
}

void Count::countIn(const Pixels &of, uint64_t from, uint64_t to, uint32_t *tables) const {
  if (job_.isTogether()) {
    countTogether(of, from, to, tables);
    return;
  }
  const Lookup &lookup = job_.lowering.lookup();
  const size_t channelWords = static_cast<size_t>(job_.shape.stride) * job_.shape.tables;
  alignas(64) uint64_t memory[BLOCK];
  alignas(64) uint32_t rows[BLOCK];
  // Bytes that lie side by side need no memory.
  const bool isPlain = job_.isRaw() && job_.numbers.interleaved == 1 && of.isDense(1);
  const uint64_t step = isPlain ? to - from : BLOCK;
  for (uint64_t at = from; at < to; at += step) {
    const size_t n = std::min<uint64_t>(step, to - at);
    for (uint32_t i = 0; i < job_.channelCount; i++) {
      const Channel channel{of, job_.sampleBytes, job_.numbers.interleaved, job_.channels[i]};
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

size_t Count::words() const { return job_.isTogether() ? job_.tally.pixelWords(bytes_) : job_.words(); }

void Count::countTogether(const Pixels &of, uint64_t from, uint64_t to, uint32_t *tables) const {
  const uint64_t width = of.isDense(job_.pixelBytes) ? of.width * of.height : of.width;
  while (from < to) {
    const uint64_t row = from / width, column = from % width;
    const uint64_t pixels = std::min(to - from, width - column);
    job_.tally.pixels(bytes_, of.data + row * of.pitch + column * job_.pixelBytes, pixels, tables);
    from += pixels;
  }
}

void Count::sum(uint32_t *tables) {
  if (job_.isTogether()) {
    job_.tally.sumPixels(bytes_, tables, counts_);
    return;
  }
  const size_t channelWords = static_cast<size_t>(job_.shape.stride) * job_.shape.tables;
  for (uint32_t i = 0; i < job_.channelCount; i++) {
    double *const counts = counts_ + static_cast<size_t>(i) * job_.counts();
    job_.tally.sum(job_.shape, tables + i * channelWords, counts);
  }
}

}  // namespace polybin
