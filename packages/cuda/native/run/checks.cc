#include "checks.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "generated/limits.cuh"
#include "kernels.h"
#include "platform/cuda-errors.h"
#include "platform/expect.h"

namespace polybin {
namespace {

constexpr uint32_t sampleBytes[] = {1, 1, 2, 2, 4, 4, 4, 8};

void checkSource(const Source &of) {
  within("source.pixelBytes", of.pixelBytes, 1, Wide{sizeof(double)} * std::size(Pixels{}.channel));
  const Wide rowBytes = Wide{of.width} * of.pixelBytes;
  if (of.pixels == 0) return;
  within("source.width", of.width, 1, ~0ull);
  within("source.rowPitch", of.rowPitch, rowBytes, ~0ull);
  const Wide last = Wide{of.first} + of.pixels - 1;
  if (of.resident != 0) return;
  if (of.fd >= 0) return within("source.offset", Wide{of.offset} + (last + 1) * of.pixelBytes, 0, INT64_MAX);
  const Wide end = last / of.width * of.rowPitch + (last % of.width + 1) * of.pixelBytes;
  enough("samples", end, of.bytes.data == nullptr ? 0 : of.bytes.size);
}

void checkWanted(const Wanted &of) {
  const auto &[size, channel] = of.channels;
  within("wanted.interleaved", of.interleaved, 1, std::size(channel));
  within("wanted.channels.length", size, 1, of.interleaved);
  uint32_t seen = 0;
  for (uint32_t i = 0; i < size; i++) {
    within("wanted.channels", channel[i], 0, of.interleaved - 1);
    expect((seen >> channel[i] & 1) == 0, "wanted.channels", "each channel once", channel[i]);
    seen |= 1u << channel[i];
  }
}

void checkPixels(const Source &source, const Wanted &of) {
  exactly("source.pixelBytes", source.pixelBytes, pixelBytesOf(of));
}

void checkRanks(const HostLowering &of) {
  const LoweringNumbers &plain = of.numbers;
  within("lowering.low.length", of.low.size(), 1, plain.bins + 1);
  exactly("lowering.high.length", of.high.size(), plain.type == Type::f64 ? of.low.size() : 0);
  // Cells are computed in floats, which are exact below 2^22.
  within("lowering.cells", plain.cells, 0, of.starts.empty() ? of.low.size() : 1u << 22);
  if (!plain.line) within("lowering.shift", plain.shift, 0, 31);
  if (of.starts.empty()) return expect(plain.line, "lowering.starts.length", "one more than the last cell", 0);
  exactly("lowering.starts.length", of.starts.size(), plain.cells + 1);
  within("lowering.starts", *std::max_element(of.starts.begin(), of.starts.end()), 0, of.low.size());
}

/** Checks that the partial tables have room for what each block writes, and that one thread merges each cell. */
void checkPartials(const CountKernel &kernel, const Plan &plan) {
  if (plan.partials == 0) return;
  exactly("plan.partials", plan.partials, kernel.codes != nullptr && kernel.needs.partials ? plan.blocks : 0);
  within("plan.mergeThreads", plan.mergeThreads, limits::WARP_THREADS, limits::MERGE_THREADS);
  exactly("plan.mergeThreads", plan.mergeThreads % limits::WARP_THREADS, 0);
  exactly("plan.mergeBlocks", plan.mergeBlocks, ceiling(plan.cellsPerPass, limits::MERGE_CELLS));
}

/** Checks that an algorithm received its own struct and that its words are in range. */
template <typename Kernel>
void checkOwn(const Kernel &kernel, const Own &own) {
  exactly("own.length", own.size, kernel.ownBytes);
  checkRanges("own", own.bytes, kernel.ranges, kernel.rangeCount);
}

void checkCodes(const CodesNeeds &of, const Plan &plan) {
  expect(plan.codeBytes == 1 || plan.codeBytes == limits::WORD_BYTES, "plan.codeBytes", "1 or 4", plan.codeBytes);
  // A kernel without a limit of its own counts the cells of several columns, too.
  within("plan.cells", plan.cells, 1, of.cells == limits::MAX_BINS ? limits::MAX_CELLS : of.cells);
  if (of.allCells) exactly("plan.cellsPerPass", plan.cellsPerPass, of.cells);
  else within("plan.cellsPerPass", plan.cellsPerPass, 1, of.cells == limits::MAX_BINS ? plan.cells : of.cells);
  exactly("plan.passes", plan.passes, ceiling(plan.cells, plan.cellsPerPass));
  within("plan.threads", plan.threads, of.threadsAre, of.threads);
  exactly("plan.threads", plan.threads % of.threadsAre, 0);
  const Wide table = Wide{ceiling(plan.cellsPerPass, of.cellsMany)} * of.cellsBytes;
  const uint32_t tables = of.tableThreads == 0 ? 1 : plan.threads / of.tableThreads;
  within("plan.sharedBytes", plan.sharedBytes, of.sharedBytes + table * tables, UINT32_MAX);
}

/** One more than the largest document number that is added up. */
uint64_t endOfDocuments(const SumsJob &job) {
  if (job.list.size == 0) return job.documents;
  return uint64_t{*std::max_element(job.list.data, job.list.data + job.documents)} + 1;
}

uint64_t rowBytesOf(ValueType type, uint64_t documents) {
  return type == ValueType::u4 ? (documents + 1) / 2 : (type == ValueType::u8 ? documents : 2 * documents);
}

void checkWeightedPlan(const WeightedPlan &of, uint64_t documents) {
  within("plan.binsPerPass", of.binsPerPass, 1, of.bins);
  exactly("plan.passes", of.passes, ceiling(of.bins, of.binsPerPass));
  exactly("plan.threads", of.threads % limits::WARP_THREADS, 0);
  exactly("plan.segmentDocuments", of.segmentDocuments % limits::SEGMENT_ALIGN, 0);
  within("plan.segmentDocuments", Wide{of.segmentDocuments} * of.segments, documents, ~Wide{0});
}

}  // namespace

uint32_t pixelBytesOf(const Wanted &of) { return of.interleaved * sampleBytes[static_cast<uint32_t>(of.type)]; }

void checkDevice(uint32_t device) { within("device", device, 0, INT32_MAX); }

void checkUpload(const Source &of) {
  checkSource(of);
  within("source.pixels", Wide{of.pixels} * of.pixelBytes, 0, INT64_MAX);
}

void checkWritten(const char *name, const Written &of, Wide bytes, bool doubles) {
  exactly(name, of.doubles, doubles);
  enough("memory for results", bytes, of.bytes);
}

void checkDownload(const Download &of) {
  checkUpload(of.source);
  expect(of.source.resident != 0, "source.resident", "samples on the device", 0);
  checkWritten("into.doubles", of.into, Wide{of.source.pixels} * of.source.pixelBytes, false);
}

void checkExtent(const Source &source, const Wanted &wanted) {
  checkUpload(source);
  checkWanted(wanted);
  checkPixels(source, wanted);
}

void checkLowering(const HostLowering &of, const Wanted &wanted, uint32_t bins) {
  const LoweringNumbers &plain = of.numbers;
  exactly("lowering.type", static_cast<uint32_t>(plain.type), static_cast<uint32_t>(wanted.type));
  within("lowering.bins", plain.bins, 1, bins);
  const uint32_t bytes = sampleBytes[static_cast<uint32_t>(plain.type)];
  const bool isFloat = plain.type >= Type::f32;
  const auto takes = [&](const char *what, bool fits) {
    expect(fits, "lowering.type", what, static_cast<uint32_t>(plain.type));
  };
  switch (plain.kind) {
    case Kind::raw:
      takes("8-bit samples", bytes == 1);
      within("lowering.shift", plain.shift, 0, 7);
      return exactly("lowering.bins", plain.bins << plain.shift, limits::BYTE_VALUES);
    case Kind::table:
      takes("8-bit samples", bytes == 1);
      return exactly("lowering.table.length", of.table.size(), limits::BYTE_VALUES);
    case Kind::direct: return takes("integers of 16 or 32 bits", bytes > 1 && !isFloat);
    case Kind::scaled:
      takes("16-bit samples", bytes == 2);
      within("lowering.last", plain.last, plain.first, limits::U16_MAX);
      return within("lowering.scale", plain.scale, 0, INT32_MAX);
    case Kind::ranks:
      takes("samples of 16 bits or more", bytes > 1);
      return checkRanks(of);
  }
}

void checkShape(const CountShape &job, uint32_t bins) {
  checkWanted(job.wanted);
  const Plan &plan = job.plan;
  checkLowering(job.lowering, job.wanted, bins);
  exactly("plan.cells", plan.cells, job.lowering.numbers.bins);
  within("launchPixels", job.launchPixels, 1, limits::U32_MAX);
  const CountKernel &kernel = countKernel(job.algorithm);
  if (kernel.codes != nullptr) checkCodes(kernel.needs, plan);
  else if (job.lowering.numbers.kind == Kind::raw) exactly("plan.cells", plan.cells, limits::BYTE_VALUES);
  checkPartials(kernel, plan);
  checkOwn(kernel, job.own);
  if (kernel.check != nullptr) kernel.check(job, job.own.bytes);
}

void checkCount(const CountJob &job, const CountShape &shape) {
  checkUpload(job.source);
  checkPixels(job.source, shape.wanted);
}

void checkFew(uint64_t pixels, uint64_t bytes, const CountShape &shape) {
  const Wide end = Wide{pixels} * pixelBytesOf(shape.wanted);
  within("bytes", end, 0, limits::FEW_BYTES);
  enough("samples", end, bytes);
}

void checkTable(const TableSource &of) {
  if (of.rowBytes == 0) return exactly("bytes.length", of.bytes.size, 0);
  exactly("bytes.length", of.bytes.size % of.rowBytes, 0);
}

void checkSums(const SumsJob &job, const FeatureTable &table) {
  within("documents", job.documents, 0, limits::U32_MAX);
  const uint64_t bytes = job.documents * limits::WORD_BYTES;
  exactly("weights.length", job.weights.bytes, bytes);
  if (job.squares.bytes != 0) exactly("squares.length", job.squares.bytes, bytes);
  if (job.squares.bytes != 0) exactly("squares.floats", job.squares.floats, job.weights.floats);
  if (job.list.size != 0) exactly("list.length", job.list.size, job.documents);
  const uint64_t end = endOfDocuments(job);
  for (const SumsLaunch &launch : job.launches) {
    const WeightedPlan &plan = launch.plan;
    const SumsKernel &kernel = sumsKernel(launch.algorithm);
    checkWeightedPlan(plan, job.documents);
    checkOwn(kernel, launch.own);
    if (kernel.check != nullptr) kernel.check(plan, launch.own.bytes);
    exactly("plan.fast", plan.fast, job.weights.floats);
    if (plan.squares) exactly("squares.length", job.squares.bytes, bytes);
    within("documents", rowBytesOf(plan.type, end), 0, table.rowBytes);
    within("rows.length", launch.rows.size, 1, limits::U32_MAX);
    exactly("skip.length", launch.skip.size, launch.rows.size);
    expect(table.rows > 0, "table", "a row", 0);
    for (size_t i = 0; i < launch.rows.size; i++) within("rows", launch.rows.data[i], 0, table.rows - 1);
  }
}

}  // namespace polybin
