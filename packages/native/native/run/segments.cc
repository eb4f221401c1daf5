#include "segments.h"

#include <algorithm>
#include <memory>

namespace polybin {
namespace {

Division divisionOfSegments(const Job &job, const Segments &of) {
  Division division = divisionOf(job, {nullptr, of.numbers.pixels, 1, 0});
  // A segment that several threads count has its row added several times.
  division.piece = std::max<uint64_t>(division.piece, 16 * uint64_t{job.shape.rows});
  return division;
}

}  // namespace

uint64_t Segments::before(uint64_t segment) const {
  const SegmentsNumbers &of = numbers;
  if (of.cut == Cut::every) return std::min(segment * of.every, of.pixels);
  if (of.cut == Cut::offsets) return static_cast<uint64_t>(offsets[segment] - offsets[0]);
  const uint64_t row = segment / of.columns;
  const uint64_t top = std::min(row * of.height, of.imageHeight);
  const uint64_t across = std::min(segment % of.columns * of.width, of.imageWidth);
  return top * of.imageWidth + across * std::min(of.height, of.imageHeight - top);
}

uint64_t Segments::at(uint64_t pixel) const {
  const SegmentsNumbers &of = numbers;
  if (of.cut == Cut::every) return pixel / of.every;
  if (of.cut == Cut::offsets) {
    // Among equal offsets the last, which skips empty segments.
    const double value = offsets[0] + static_cast<double>(pixel);
    return static_cast<uint64_t>(std::upper_bound(offsets, offsets + of.count, value) - offsets) - 1;
  }
  const uint64_t row = pixel / (of.height * of.imageWidth);
  const uint64_t top = row * of.height;
  const uint64_t column = (pixel - top * of.imageWidth) / (of.width * std::min(of.height, of.imageHeight - top));
  return row * of.columns + column;
}

SegmentsCount::SegmentsCount(const Job &job, const Pixels &of, const Segments &segments, const Rows &rows,
                             const Control &control)
    : Pieces(divisionOfSegments(job, segments), control), job_(job), of_(of), segments_(segments), rows_(rows) {}

void SegmentsCount::count(uint64_t from, uint64_t to, uint32_t *tables) {
  for (uint64_t segment = segments_.at(from), at = from; at < to; segment++) {
    const uint64_t first = segments_.before(segment), last = segments_.before(segment + 1);
    const uint64_t end = std::min(to, last);
    if (end == at) continue;
    countPart(segment, at - first, end - first, tables);
    add(segment, at == first && end == last ? last - first : 0, tables);
    at = end;
  }
}

void SegmentsCount::countPart(uint64_t segment, uint64_t from, uint64_t to, uint32_t *tables) const {
  const SegmentsNumbers &of = segments_.numbers;
  if (of.cut != Cut::tiles) {
    const uint64_t skipped = of.cut == Cut::offsets ? static_cast<uint64_t>(segments_.offsets[0]) : 0;
    countRun(skipped + segments_.before(segment) + from, to - from, tables);
    return;
  }
  const uint64_t left = segment % of.columns * of.width, top = segment / of.columns * of.height;
  const uint64_t across = std::min(of.width, of.imageWidth - left);
  while (from < to) {
    const uint64_t row = from / across, column = from % across;
    const uint64_t n = std::min(across - column, to - from);
    countRun((top + row) * of.imageWidth + left + column, n, tables);
    from += n;
  }
}

void SegmentsCount::countRun(uint64_t pixel, uint64_t n, uint32_t *tables) const {
  const Lookup &lookup = job_.lowering.lookup();
  const Channel channel{of_, job_.sampleBytes, job_.numbers.interleaved, job_.channels[0]};
  alignas(64) uint64_t memory[BLOCK];
  alignas(64) uint32_t rows[BLOCK];
  const bool isPlain = job_.isRaw() && channel.interleaved == 1 && of_.isDense(1);
  const uint64_t step = isPlain ? n : BLOCK;
  for (uint64_t at = pixel; at < pixel + n; at += step) {
    const size_t some = std::min<uint64_t>(step, pixel + n - at);
    const void *const samples = fetched(channel, at, some, memory);
    if (job_.isRaw()) {
      job_.tally.bytes(job_.shape, static_cast<const uint8_t *>(samples), some, tables);
    } else {
      lookup.find(lookup, samples, some, rows);
      job_.tally.rows(job_.shape, rows, some, tables);
    }
  }
}

void SegmentsCount::add(uint64_t segment, uint64_t whole, uint32_t *tables) {
  const uint32_t bins = job_.numbers.bins;
  double seen = 0;
  const auto isWide = rows_.wideCounts != nullptr;
  // One thread at a time adds to rows of doubles, and of segments that several count.
  std::unique_lock<std::mutex> lock(mutex_, std::defer_lock);
  if (isWide || whole == 0) lock.lock();
  for (uint32_t row = 0; row < job_.shape.rows; row++) {
    uint64_t amount = 0;
    for (uint32_t table = 0; table < job_.shape.tables; table++) {
      uint32_t &counter = tables[static_cast<size_t>(table) * job_.shape.stride + row];
      amount += counter;
      counter = 0;
    }
    if (amount == 0) continue;
    seen += static_cast<double>(amount);
    const uint32_t code = job_.isRaw() ? job_.codes[row] : row == 0 ? bins
                                                       : row > bins ? row
                                                                    : row - 1;
    const uint64_t at = code < bins ? segment * bins + code : segment * FLOW_ROWS + (code - bins);
    if (isWide) (code < bins ? rows_.wideCounts : rows_.wideFlow)[at] += static_cast<double>(amount);
    else (code < bins ? rows_.counts : rows_.flow)[at] += static_cast<uint32_t>(amount);
  }
  if (whole != 0 && seen != static_cast<double>(whole)) {
    throw Failure{"ERR_MISCOUNT", "expected the counts of all samples of a segment"};
  }
}

}  // namespace polybin
