// The checks of several columns: see checks.h.
#include <algorithm>

#include "checks.h"
#include "kernels.h"
#include "platform/expect.h"

namespace polybin {
namespace {

constexpr uint32_t byteBits = 8;

/** Checks that all places of a column are below its extent. */
void checkPlaces(const ColumnShape &of) {
  const LoweringNumbers &lowering = of.lowering.numbers;
  const bool isFloat = lowering.type >= Type::f32;
  const uint32_t flow = lowering.kind == Kind::raw || !lowering.flow ? 0 : (isFloat ? limits::FLOW_ROWS : 2);
  exactly("extent", of.extent, Wide{lowering.bins} + flow);
}

/** Checks that the cells of all places are counted. Columns by rank without flow begin at rank 1. */
void checkCells(const JointShape &of) {
  Wide cells = 1, offset = 0;
  for (size_t k = of.columns.size(); k-- > 0;) {
    const ColumnShape &column = of.columns[k];
    const LoweringNumbers &lowering = column.lowering.numbers;
    const bool isRank = lowering.kind == Kind::ranks || lowering.kind == Kind::scaled;
    exactly("stride", column.stride, cells);
    if (isRank && !lowering.flow) offset += cells;
    cells *= column.extent;
    within("cells", cells, 1, limits::MAX_CELLS);
  }
  exactly("offset", of.offset, offset);
  exactly("plan.cells", of.count.plan.cells, cells);
}

}  // namespace

void checkJoint(const JointJob &job) {
  const JointShape &of = *job.shape;
  within("columns.length", of.columns.size(), 1, limits::MAX_JOINT_COLUMNS);
  within("sources.length", job.sources.size(), 1, of.columns.size());
  exactly("sourceOf.length", job.sourceOf.size, of.columns.size());
  const uint64_t pixels = job.sources[0].pixels;
  const bool isListed = job.where.data != nullptr;
  uint32_t seen = 0;
  for (size_t k = 0; k < of.columns.size(); k++) {
    const ColumnShape &column = of.columns[k];
    within("sourceOf", job.sourceOf.of[k], 0, job.sources.size() - 1);
    seen |= 1u << job.sourceOf.of[k];
    const Source &source = job.sources[job.sourceOf.of[k]];
    checkExtent(source, column.wanted);
    exactly("wanted.channels.length", column.wanted.channels.size, 1);
    checkLowering(column.lowering, column.wanted, limits::MAX_CELLS);
    checkPlaces(column);
    exactly("source.pixels", source.pixels, pixels);
    if (isListed) expect(source.resident != 0, "source.resident", "samples on the device for a list of pixels", 0);
  }
  exactly("sourceOf", seen, (1u << job.sources.size()) - 1);
  if (of.mask != MaskKind::none) {
    checkUpload(job.mask);
    exactly("mask.pixelBytes", job.mask.pixelBytes, 1);
    exactly("mask.pixels", job.mask.pixels, of.mask == MaskKind::bits ? (Wide{pixels} + byteBits - 1) / byteBits : pixels);
    if (isListed) expect(job.mask.resident != 0, "mask.resident", "a mask on the device for a list of pixels", 0);
  }
  if (isListed && job.where.size > 0) {
    within("where", Wide{*std::max_element(job.where.data, job.where.data + job.where.size)} + 1, 1, pixels);
  }
  checkCells(of);
  checkShape(of.count, limits::MAX_CELLS);
  exactly("count.type", static_cast<uint32_t>(of.count.wanted.type), static_cast<uint32_t>(Type::u32));
  exactly("count.interleaved", of.count.wanted.interleaved, 1);
  if (of.direct) expect(countKernel(of.count.algorithm).columns != nullptr, "direct", "a kernel that reads columns", 0);
  checkWritten("into.doubles", job.into, Wide{of.count.plan.cells} * sizeof(double), true);
}

}  // namespace polybin
