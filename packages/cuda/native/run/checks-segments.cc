// The checks of segments: see checks.h.
#include <algorithm>

#include "checks.h"
#include "generated/limits.cuh"
#include "kernels.h"
#include "platform/expect.h"
#include "platform/failure.h"

namespace polybin {
namespace {

void checkCut(const SegmentsJob &of) {
  const Wide end = Wide{of.first} + of.segments;
  if (of.cut == Cut::every) {
    within("every", of.every, 1, INT64_MAX);
    return within("segments", end, 0, (Wide{of.pixels} + of.every - 1) / of.every);
  }
  if (of.cut == Cut::tiles) {
    within("width", of.width, 1, INT64_MAX);
    within("height", of.height, 1, INT64_MAX);
    exactly("columns", of.columns, (Wide{of.imageWidth} + of.width - 1) / of.width);
    exactly("pixels", of.pixels, Wide{of.imageWidth} * of.imageHeight);
    return within("segments", end, 0, (Wide{of.imageHeight} + of.height - 1) / of.height * of.columns);
  }
  exactly("offsets.length", of.offsets.size, Wide{of.segments} + 1);
  const double *const offsets = of.offsets.data, *const last = offsets + of.segments;
  const bool areNumbers = *offsets >= 0 && *last <= static_cast<double>(of.pixels);
  // The negated comparison also refuses NaN.
  const auto falls = [](double a, double b) { return !(b >= a); };
  expect(areNumbers && std::adjacent_find(offsets, last + 1, falls) == last + 1, "offsets",
         "pixels' numbers, each at least the one before it", 0);
}

/** Checks the memory for rows of counts and of their flow. */
void checkHome(const Written &counts, const Written &flows, Wide rows, const RowShape &of) {
  const uint32_t size = of.wide ? sizeof(double) : sizeof(uint32_t);
  checkWritten("into.doubles", counts, rows * of.bins * size, of.wide);
  if (of.flow) checkWritten("flowInto.doubles", flows, rows * limits::FLOW_ROWS * size, of.wide);
}

void checkBins(const SegmentsJob &of) {
  const LoweringNumbers &lowering = of.shape->lowering.numbers;
  const auto &codes = of.shape->lowering.table;
  if (lowering.kind != Kind::raw) {
    exactly("bins", of.bins, lowering.bins);
    if (lowering.flow) exactly("flow", of.flow, 1);
    return;
  }
  if (codes.empty()) return exactly("bins", of.bins, limits::BYTE_VALUES);
  within("bins", of.bins, 1, limits::U32_MAX);
  exactly("lowering.table.length", codes.size(), limits::BYTE_VALUES);
  within("lowering.table", *std::max_element(codes.begin(), codes.end()), 0,
         Wide{of.bins} + (of.flow ? limits::FLOW_ROWS : 0) - 1);
}

}  // namespace

void checkSegments(const SegmentsJob &of) {
  checkShape(*of.shape);
  checkExtent(of.source, of.shape->wanted);
  const CountKernel &kernel = countKernel(of.shape->algorithm);
  if (kernel.segments == nullptr) throw Failure{"ERR_UNSUPPORTED", std::string(kernel.slug) + " cannot count segments"};
  exactly("wanted.channels.length", of.shape->wanted.channels.size, 1);
  within("pixels", Wide{of.at} + of.source.pixels, 0, of.pixels);
  within("partSamples", of.partSamples, 1, limits::U32_MAX);
  within("range", of.range, 1, limits::U32_MAX);
  within("longest", of.longest, 0, of.wide ? INT64_MAX : limits::U32_MAX);
  checkCut(of);
  checkBins(of);
  if (of.into.data == nullptr && of.into.bytes == 0) return within("segments", of.segments, 0, limits::U32_MAX);
  checkHome(of.into, of.flowInto, of.segments, {of.bins, of.flow, of.wide});
}

void checkRows(const RowsJob &of, uint64_t segments, const RowShape &shape) {
  within("segments", Wide{of.first} + of.segments, 0, segments);
  checkHome(of.into, of.flowInto, of.segments, shape);
}

}  // namespace polybin
