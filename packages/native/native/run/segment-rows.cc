#include "segment-rows.h"

#include <algorithm>

namespace polybin {
namespace {

RowRun runOf(const SegmentRows &of, uint64_t pixel) {
  const SegmentsNumbers &numbers = of.numbers;
  if (numbers.cut == Cut::every) {
    const uint64_t row = pixel / numbers.every;
    return {row * numbers.every, (row + 1) * numbers.every, row};
  }
  if (numbers.cut == Cut::tiles) {
    const uint64_t y = pixel / numbers.imageWidth, x = pixel - y * numbers.imageWidth;
    const uint64_t column = x / numbers.width, begin = y * numbers.imageWidth;
    const uint64_t end = std::min((column + 1) * numbers.width, numbers.imageWidth);
    return {begin + column * numbers.width, begin + end, y / numbers.height * numbers.columns + column};
  }
  const auto after = std::upper_bound(of.offsets.begin(), of.offsets.end(), static_cast<double>(pixel));
  if (after == of.offsets.begin()) return {0, static_cast<uint64_t>(of.offsets.front()), numbers.count};
  if (after == of.offsets.end()) return {static_cast<uint64_t>(of.offsets.back()), UINT64_MAX, numbers.count};
  const auto row = static_cast<uint64_t>(after - of.offsets.begin()) - 1;
  return {static_cast<uint64_t>(of.offsets[row]), static_cast<uint64_t>(*after), row};
}

}  // namespace

RowRun SegmentRows::runAt(uint64_t pixel) const {
  const RowRun run = runOf(*this, pixel + first);
  return {std::max(run.from, first) - first, run.to - first, run.row};
}

}  // namespace polybin
