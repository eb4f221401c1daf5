#include "count.h"

#include <algorithm>

#include "generated/border.h"
#include "pairs.h"

namespace polybin {
namespace {

/** Whether the sum of all tables would take longer than the count. */
bool isSmall(const Job &job, const Pixels &of, uint32_t threads) {
  const uint64_t counters = uint64_t{job.shape.rows} * job.shape.tables;
  return job.numbers.algorithm == Algorithm::perLane && threads == 1 &&
         of.width * of.height <= counters / limits::SMALL_SHARE;
}

double sumOf(const double *counts, size_t length) {
  // Several sums, because an addition takes longer than a load.
  double sums[8] = {};
  size_t i = 0;
  for (; i + 8 <= length; i += 8) {
    for (size_t k = 0; k < 8; k++) sums[k] += counts[i + k];
  }
  double sum = 0;
  for (; i < length; i++) sum += counts[i];
  for (const double part : sums) sum += part;
  return sum;
}

}  // namespace

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
      flow_(job.isRaw() ? 0 : FLOW_ROWS * job.channelCount),
      bytes_{job.bytes.interleaved, job.bytes.mask, job.isTogether() && pairsPay(job, of, threads())},
      isSmall_(isSmall(job, of, threads())) {
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
  const auto groups = static_cast<uint32_t>(2 * shared_.size() / job_.words());
  for (uint32_t group = 0; group < groups; group++) sum(tablesOf(group));
  tell();
}

void Count::tell() {
  double outside = 0;
  for (const double count : flow_) outside += count;
  told_.push_back(sumOf(counts_, size_t{job_.channelCount} * job_.cells()) + outside);
  if (outside > 0) told_.insert(told_.end(), flow_.begin(), flow_.end());
}

void Count::count(uint64_t from, uint64_t to, uint32_t *tables) {
  if (file_) countIn(readPixels(*file_, job_.pixelBytes, from, to), 0, to - from, tables);
  else countIn(of_, from, to, tables);
}

void Count::countIn(const Pixels &of, uint64_t from, uint64_t to, uint32_t *tables) {
  if (isSmall_) return countSmall(of, from, to);
  if (job_.isTogether()) return countTogether(of, from, to, tables);
  const Lookup &lookup = job_.lowering.lookup();
  const size_t channelWords = static_cast<size_t>(job_.shape.stride) * job_.shape.tables;
  alignas(64) uint64_t memory[BLOCK];
  RowMemory memoryOfRows;
  // Bytes that lie side by side need no memory.
  const bool isPlain = job_.isRaw() && job_.numbers.interleaved == 1 && of.isDense(1);
  const bool areWords = job_.areWords();
  const uint16_t flip = job_.numbers.type == Type::i16 ? 0x8000 : 0;
  const uint64_t step = isPlain ? to - from : stepOf(job_.pixelBytes);
  for (uint64_t at = from; at < to; at += step) {
    const size_t n = std::min<uint64_t>(step, to - at);
    if (!isPlain) fetchAhead(of, job_.pixelBytes, at, n);
    for (uint32_t i = 0; i < job_.channelCount; i++) {
      const Channel channel{of, job_.sampleBytes, job_.numbers.interleaved, job_.channels[i]};
      const void *const samples = fetched(channel, at, n, memory);
      uint32_t *const table = tables + i * channelWords;
      if (job_.isRaw()) {
        job_.tally.bytes(job_.shape, static_cast<const uint8_t *>(samples), n, table);
      } else if (areWords) {
        job_.tally.words(job_.shape, samples, n, flip, table);
      } else {
        uint32_t *const rows = memoryOfRows.away(samples);
        lookup.find(lookup, samples, n, rows);
        job_.tally.rows(job_.shape, rows, n, table);
      }
    }
  }
}

void Count::countSmall(const Pixels &of, uint64_t from, uint64_t to) {
  const Lookup &lookup = job_.lowering.lookup();
  alignas(64) uint64_t memory[BLOCK];
  alignas(64) uint32_t rows[BLOCK];
  for (uint64_t at = from; at < to; at += BLOCK) {
    const size_t n = std::min<uint64_t>(BLOCK, to - at);
    for (uint32_t i = 0; i < job_.channelCount; i++) {
      const Channel channel{of, job_.sampleBytes, job_.numbers.interleaved, job_.channels[i]};
      const void *const samples = fetched(channel, at, n, memory);
      double *const counts = countsOf(i);
      if (job_.isRaw()) {
        for (size_t k = 0; k < n; k++) counts[static_cast<const uint8_t *>(samples)[k]]++;
      } else {
        lookup.find(lookup, samples, n, rows);
        const uint32_t bins = job_.numbers.bins;
        for (size_t k = 0; k < n; k++) {
          const uint32_t bin = rows[k] - 1;
          if (bin < bins) counts[bin]++;
          else flowOf(i)[rows[k] == 0 ? 0 : bin - bins + 1]++;
        }
      }
    }
  }
}

size_t Count::words() const {
  if (isSmall_) return 0;
  return job_.isTogether() ? job_.tally.pixelWords(bytes_) : job_.words();
}

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
  if (isSmall_) return;
  if (job_.isTogether()) {
    if (threads() == 1) {
      job_.tally.sumPixels(bytes_, tables, counts_);
      return;
    }
    double counts[4 * 256] = {};
    job_.tally.sumPixels(bytes_, tables, counts);
    const auto locked = lock();
    for (size_t i = 0; i < size_t{job_.channelCount} * job_.cells(); i++) counts_[i] += counts[i];
    return;
  }
  const auto locked = lock();
  const size_t channelWords = static_cast<size_t>(job_.shape.stride) * job_.shape.tables;
  for (uint32_t i = 0; i < job_.channelCount; i++) {
    uint32_t *const from = tables + i * channelWords;
    const auto add = [&](const Span &span, double *to) { job_.tally.sum(job_.shape, span, from, to); };
    const uint32_t bins = job_.cells();
    add({job_.isRaw() ? 0U : 1U, bins}, countsOf(i));
    if (job_.isRaw()) continue;
    add({0, 1}, flowOf(i));
    add({bins + 1, 2}, flowOf(i) + 1);
  }
}

}  // namespace polybin
